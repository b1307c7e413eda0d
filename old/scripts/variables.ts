/** Writes the README's table of environment variables from the list that the program itself uses. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderVariables } from './manual/render-variables.ts';

const readme = path.resolve(import.meta.dirname, '../README.md');
const between = /(<!-- variables: npm run variables -->\n)[\s\S]*?(<!-- \/variables -->)/;

const text = readFileSync(readme, 'utf8');
const table = (_: string, start: string, end: string) => `${start}${renderVariables()}${end}`;
writeFileSync(readme, text.replace(between, table));
