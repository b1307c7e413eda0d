import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { petSheet } from '../../../../src/commands/shared/pets.ts';
import type { Pet } from '../../../../src/contract/pet.ts';
import { anyCharacter } from '../../../support/arbitraries.ts';
import { openRecords } from '../../../support/open-records.ts';

const header = 'id,name,categoryId,status';

async function formatCsv(pets: readonly Pet[], isExcel = false): Promise<string> {
  const writer = openRecords(petSheet, { format: 'csv', isExcel });
  await writer.add(pets);
  await writer.finish();
  return writer.text();
}

function pet(name: string, status?: Pet['status']): Pet {
  return { id: 9223372036854775807n, name, categoryId: -1n, ...(status && { status }) };
}

describe('a pet as a line of CSV', () => {
  it('any name comes back from a parser that is not ours', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (name) => {
        const text = await formatCsv([pet(name, 'sold')]);
        expect(parse(text, { columns: true, record_delimiter: '\n' })).toEqual([
          { id: '9223372036854775807', name, categoryId: '-1', status: 'sold' },
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['Rex', 'Rex'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded ', '" padded "'],
    ['=1+1', '=1+1'],
  ])('%j is written %s', async (name, field) => {
    expect(await formatCsv([pet(name)])).toBe(`${header}\n9223372036854775807,${field},-1,\n`);
  });

  it.each(['=HYPERLINK("http://evil.example")', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1'])(
    'for Excel %j is not a formula',
    async (name) => {
      const text = await formatCsv([pet(name)], true);
      const [, record] = parse(text, { record_delimiter: '\r\n', bom: true });
      expect(record).toEqual(['="9223372036854775807"', `'${name}`, '="-1"', '']);
    },
  );

  it('for Excel the file begins with a byte order mark and lines end with CRLF', async () => {
    expect(await formatCsv([], true)).toBe(`\ufeff${header}\r\n`);
  });
});
