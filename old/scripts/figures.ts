/** Writes the tables of figures in README.md and bench/README.md from what `npm run bench -- --save` measured. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { insertFigures } from './figures/insert-figures.ts';
import { renderFigures, renderHighlights } from './figures/render-figures.ts';

const root = path.resolve(import.meta.dirname, '..');
const results = readFileSync(path.join(root, 'bench/results.json'), 'utf8');

for (const [name, render] of [
  ['README.md', renderHighlights],
  ['bench/README.md', renderFigures],
] as const) {
  const file = path.join(root, name);
  writeFileSync(file, insertFigures(readFileSync(file, 'utf8'), render(results)));
}
