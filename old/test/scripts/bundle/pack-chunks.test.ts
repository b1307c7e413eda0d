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

it('a packed chunk leaves no file, and whoever needs it gets it from the loader', () => {
  const files = new Map([
    ['main.cjs', 'const a=()=>require("./chunks/a.cjs"),b=require("./chunks/b.cjs");'],
    ['chunks/a.cjs', 'require("./b.cjs");require("node:fs")'],
    ['chunks/b.cjs', 'require("./a.cjs")'],
  ]);
  const packed = packChunks(files, new Set(['main.cjs']), new Set(['chunks/a.cjs']));
  expect([...packed.keys()].sort()).toEqual([
    'chunks/always.pack',
    'chunks/b.cjs',
    'chunks/often.pack',
  ]);
  expect(packed.get('chunks/b.cjs')).toBe('require("../load.cjs")("a.cjs")');
  expect(packed.get('chunks/always.pack')).toContain(
    'const a=()=>require("../load.cjs")("a.cjs"),b=require("./chunks/b.cjs");',
  );
  expect(packed.get('chunks/often.pack')).toContain('require("./b.cjs");require("node:fs")');
});

it('a pack of more than ASCII is refused: the loader reads one byte a character', () => {
  expect(() => pack("exports.a='é'")).toThrow('ASCII');
});
