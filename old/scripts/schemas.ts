/** Writes docs/schema, docs/openapi.json and the error codes of docs/json.md from the schemas that the program itself uses. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderErrorCodes } from './messages/error-codes.ts';
import { renderSchemas } from './schemas/render-schemas.ts';

const docs = path.resolve(import.meta.dirname, '../docs');
const folder = path.join(docs, 'schema');
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
const shapes = path.join(docs, 'json.md');
const between = /(<!-- error codes: npm run schemas -->\n)[\s\S]*?(<!-- \/error codes -->)/;
const table = (_: string, start: string, end: string) => `${start}${renderErrorCodes()}${end}`;
writeFileSync(shapes, readFileSync(shapes, 'utf8').replace(between, table));
for (const [file, text] of renderSchemas()) writeFileSync(path.join(docs, file), text);
