import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeNewPet, type NewPet } from '../../src/contract/pet.ts';
import { UserError } from '../../src/errors.ts';
import { anyNewPet } from '../support/arbitraries.ts';
import { check, readRows } from './read-rows.ts';

const pets = fc.array(
  anyNewPet().filter(({ name }) => !name.includes('\uFFFD')),
  { minLength: 1, maxLength: 20 },
);
const encode = fc.constantFrom(
  (text: string) => Buffer.from(text),
  (text: string) => Buffer.from(`\uFEFF${text}`),
  (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
);

async function readNewPets(bytes: Buffer): Promise<NewPet[]> {
  return (await readRows(bytes)).map(({ pet }) => pet);
}

function formatCsv(all: readonly NewPet[], separator: string, lineEnd: string): string {
  const rows = all.map(({ name, categoryId, status }) => [quote(name), categoryId, status]);
  return [['name', 'category', 'status'], ...rows]
    .map((cells) => cells.join(separator))
    .join(lineEnd);
}

/** As `list --csv` quotes, and for the other separators. */
function quote(name: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

const layouts = {
  CSV: fc.tuple(fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n')).map(
    ([separator, lineEnd]) =>
      (all: readonly NewPet[]) =>
        formatCsv(all, separator, lineEnd),
  ),
  NDJSON: fc.constant((all: readonly NewPet[]) => all.map(encodeNewPet).join('\n')),
  JSON: fc.constant((all: readonly NewPet[]) => `[${all.map(encodeNewPet).join(', ')}]`),
};

describe.each(Object.entries(layouts))('%s', (_, layout) => {
  it('gives back every pet that was written to it, in any encoding', async () => {
    await fc.assert(
      fc.asyncProperty(pets, layout, encode, async (all, format, toBytes) => {
        expect(await readNewPets(toBytes(format(all)))).toEqual(all);
      }),
    );
  });

  it('has the digest of its pets', async () => {
    await fc.assert(
      fc.asyncProperty(pets, layout, encode, async (all, format, toBytes) => {
        const { digest } = await check(toBytes(format(all)));
        expect(digest).toBe((await check(formatCsv(all, ',', '\n'))).digest);
      }),
      { numRuns: 30 },
    );
  });
});

it('reads any bytes, or says what is wrong with them', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'name,category\n\r";\t{}[]:7\u00e9\0 ') });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    text.map((end) => Buffer.from(`name,category\n${end}`)),
    text.map((end) => Buffer.from(`[{"name":"Rex","categoryId":7}${end}`)),
    text.map((end) => Buffer.from(`PK\x03\x04${end}`)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const result = await readRows(content).catch((error: unknown) => error);
      expect(Array.isArray(result) || result instanceof UserError).toBe(true);
    }),
    { numRuns: 500 },
  );
});
