/** Writes the README's table of figures from what `npm run bench -- --save` measured. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderFigures } from './figures/render-figures.ts';

const root = path.resolve(import.meta.dirname, '..');
const readme = path.join(root, 'README.md');
const results = readFileSync(path.join(root, 'bench/results.json'), 'utf8');

const between = /(<!-- figures: npm run figures -->\n)[\s\S]*?(<!-- \/figures -->)/;
writeFileSync(
  readme,
  readFileSync(readme, 'utf8').replace(
    between,
    (_, start: string, end: string) => `${start}${renderFigures(results)}${end}`,
  ),
);
