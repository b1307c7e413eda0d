import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { insertFigures } from '../../scripts/figures/insert-figures.ts';
import { renderFigures, renderHighlights } from '../../scripts/figures/render-figures.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFile(path.join(root, name), 'utf8');

describe('the figures of the documents', () => {
  it.each([
    ['README.md', renderHighlights],
    ['bench/README.md', renderFigures],
  ] as const)('%s has those of bench/results.json', async (name, render) => {
    const text = await read(name);
    expect(insertFigures(text, render(await read('bench/results.json')))).toBe(text);
  });

  it('are five lines in the README', async () => {
    expect(renderHighlights(await read('bench/results.json')).match(/^- /gm)).toHaveLength(5);
  });

  it('are never lost for want of a place', () => {
    expect(() => insertFigures('no marks', '')).toThrow('no place');
  });
});
