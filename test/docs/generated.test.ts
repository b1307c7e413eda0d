import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renderBlocks } from '../../scripts/render-blocks.ts';
import { commands } from '../../src/commands/index.ts';
import { loadProgram } from '../../src/program/build-program.ts';

it.each(renderBlocks(await loadProgram(commands)))(
  '$page has the $name of the code (npm run generate)',
  ({ page, insert }) => {
    const text = readFileSync(path.resolve(import.meta.dirname, '../..', page), 'utf8');
    expect(insert(text)).toBe(text);
  },
);
