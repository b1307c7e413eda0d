import { expect, it } from 'vitest';
import { packChunks } from '../../../scripts/bundle/pack-chunks.ts';

const pack = (text: string) =>
  packChunks(new Map([['main.cjs', text]]), new Set(['main.cjs']), new Set());

it('a pack begins with its hash, so that code compiled from another text of its length is never taken for its own', () => {
  const [first, second] = ['exports.a=1', 'exports.a=2'].map(
    (text) => pack(text).get('chunks/always.pack')?.split('\n')[0],
  );
  expect(first).toMatch(/^\/\/ [0-9a-f]{16}$/);
  expect(second).toMatch(/^\/\/ [0-9a-f]{16}$/);
  expect(first).not.toBe(second);
});

it('a chunk that was packed leaves a file that asks the loader for it', () => {
  const files = new Map([
    ['main.cjs', ''],
    ['chunks/a.cjs', ''],
  ]);
  const packed = packChunks(files, new Set(['main.cjs']), new Set(['chunks/a.cjs']));
  expect(packed.get('main.cjs')).toBe("module.exports=require('./load.cjs')('main.cjs');");
  expect(packed.get('chunks/a.cjs')).toBe("module.exports=require('../load.cjs')('a.cjs');");
});

it('a pack of more than ASCII is refused: the loader reads one byte a character', () => {
  expect(() => pack("exports.a='é'")).toThrow('ASCII');
});
