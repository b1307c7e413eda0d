/** Writes into the pages what comes from the code: `npm run generate`. A test checks that it was run. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commands } from '../src/commands/index.ts';
import { loadProgram } from '../src/program/build-program.ts';
import { renderBlocks } from './render-blocks.ts';

const root = path.resolve(import.meta.dirname, '..');
const blocks = renderBlocks(await loadProgram(commands));

for (const { page, insert } of blocks) {
  const file = path.join(root, page);
  writeFileSync(file, insert(readFileSync(file, 'utf8')));
}
