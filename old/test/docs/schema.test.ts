import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { outputs } from '../../scripts/schemas/outputs.ts';
import { renderSchemas } from '../../scripts/schemas/render-schemas.ts';
import { parseJson, stringifyJson } from '../../src/contract/json.ts';
import { findViolations } from '../support/json-schema.ts';
import { startService } from '../support/service.ts';

const golden = path.resolve(import.meta.dirname, '../golden/json');

describe('docs/schema', () => {
  const generated = renderSchemas();
  const docs = path.resolve(import.meta.dirname, '../../docs');

  it('has what is generated; if not: npm run schemas', async () => {
    const files = (await readdir(path.join(docs, 'schema'))).map((file) => `schema/${file}`);
    expect([...files, 'openapi.json'].sort()).toEqual([...generated.keys()].sort());
    for (const [file, text] of generated)
      expect({ file, text: await readFile(path.join(docs, file), 'utf8') }).toEqual({ file, text });
  });

  it('has a schema for every golden file', async () => {
    const shown = Object.values(outputs).flatMap(({ goldens }): readonly string[] => goldens);
    expect([...shown].sort()).toEqual((await readdir(golden)).sort());
  });

  const cases = Object.entries(outputs).flatMap(([name, { goldens, schema }]) =>
    goldens.map((file) => ({ file, name, schema })),
  );

  it.each(cases)('$name declares every member of $file', async ({ file, schema }) => {
    for (const value of await readGolden(file)) {
      // Members that are not declared would be refused or dropped.
      expect(listMembers(v.parse(schema, value))).toEqual(listMembers(value));
    }
  });

  it.each(cases)('the schema $name accepts $file', async ({ file, name }) => {
    const schema = JSON.parse(generated.get(`schema/${name}.json`) ?? '');
    const values = await readGolden(file);
    expect(values.length).toBeGreaterThan(0);
    expect(values.flatMap((value) => findViolations(schema, value))).toEqual([]);
  });

  it('openapi.json is the document that the service serves', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const served = await (await fetch(new URL('/openapi.json', service.url))).text();
    expect(JSON.parse(served)).toEqual(JSON.parse(generated.get('openapi.json') ?? ''));
  });
});

/** Every member of a value with its JSON, in an order of its own. */
function listMembers(value: unknown, at = '$'): string[] {
  if (typeof value !== 'object' || value === null) return [`${at} ${stringifyJson(value)}`];
  return Object.entries(value)
    .flatMap(([name, member]) => listMembers(member, `${at}.${name}`))
    .sort();
}

/** The values of a golden file: one, or one per line. */
async function readGolden(file: string): Promise<unknown[]> {
  const text = await readFile(path.join(golden, file), 'utf8');
  if (file.endsWith('.json')) return [parseJson(text)];
  return text.trimEnd().split('\n').map(parseJson);
}
