import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { NewPet, petStatuses } from '../../../src/contract/pet.ts';
import { readAll, readPets, readProblems } from '../support.ts';

const rex = { name: 'Rex', categoryId: 4n, status: 'sold' };

describe('reading CSV', () => {
  it('makes of any text whole pets and problems with a place, never a failure', async () => {
    const piece = fc.constantFrom(
      ...['"', '""', ',', ';', '\t', '\n', '\r\n', '\r', '="1"', "'=", '\ufeff', ' ', '\0'],
      ...['name', 'categoryId', 'status', 'Rex', '7', 'sold', '-1', '1e5', '9223372036854775808'],
    );
    const text = fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string()), {
      maxLength: 40,
    });
    const header = fc.constantFrom('name,categoryId\n', 'name;categoryId;status\r\n', '\n\n');
    const start = fc
      .tuple(fc.constantFrom('', '\uFEFF'), fc.constantFrom('', ' \n', ',,\r\n', ';\t\n'), header)
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(start, text, async (header, pieces) => {
        const content = header + pieces.join('');
        const lines = content.split(/\r\n|\r|\n/).length;
        const { rows } = await readAll(content, 'csv');
        for (const row of rows) {
          if ('pet' in row) expect(v.is(NewPet, row.pet)).toBe(true);
          for (const { line, column, reason } of 'problems' in row ? row.problems : []) {
            expect(line).toBeGreaterThanOrEqual(1);
            expect(line).toBeLessThanOrEqual(lines);
            expect(column).toBeGreaterThanOrEqual(1);
            expect(reason).not.toBe('');
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('skips blank lines above the header as it does those below, and counts them', async () => {
    const cell = fc.constantFrom('', ' ', '""', '" "');
    const blank = fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(','));
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const mark = fc.constantFrom('', '\uFEFF');
    await fc.assert(
      fc.asyncProperty(
        mark,
        fc.array(blank, { maxLength: 5 }),
        lineEnd,
        async (start, lines, end) => {
          const below = ['name,categoryId', ...lines, 'Rex,4', 'Mia,x', ''];
          const text = start + [...lines, ...below].join(end);
          expect(await readProblems(text, 'csv')).toEqual([
            `${2 * lines.length + 3}:2 categoryId: "x" is not a category number: write a whole number such as 7`,
          ]);
          expect((await readAll(text, 'csv')).rows[0]).toMatchObject({
            line: 2 * lines.length + 2,
            pet: { name: 'Rex', categoryId: 4n },
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads back whatever was written, characters cut by a chunk and int64 included', async () => {
    const pet = fc.record({
      name: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .filter((name) => /\S/.test(name) && !/[\p{Cc}\p{Cs}]/u.test(name)),
      categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
      status: fc.constantFrom(...petStatuses),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(pet, { minLength: 1, maxLength: 20 }), async (pets) => {
        const rows = pets.map(writeRow).join('\n');
        expect(await readPets(`name,categoryId,status\n${rows}`, 'csv')).toEqual(pets);
      }),
      { numRuns: 50 },
    );
    const long = Array.from({ length: 30_000 }, (_, index) => ({
      ...rex,
      name: `${'x'.repeat(index % 5)}🐈é`,
    }));
    const text = `name,categoryId,status\n${long.map(({ name }) => `${name},4,sold`).join('\n')}`;
    expect(text.length).toBeGreaterThan(300_000);
    expect(await readPets(text, 'csv')).toEqual(long);
  });
});

function writeRow({ name, categoryId, status }: Required<NewPet>): string {
  return `"${name.replaceAll('"', '""')}",${categoryId},${status}`;
}
