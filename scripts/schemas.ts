/** Writes docs/schema and docs/openapi.json from the schemas that the program itself uses. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderSchemas } from './schemas/render-schemas.ts';

const docs = path.resolve(import.meta.dirname, '../docs');
const folder = path.join(docs, 'schema');
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
for (const [file, text] of renderSchemas()) writeFileSync(path.join(docs, file), text);
