import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pet } from '../../../src/contract/pet.ts';
import { petFields } from '../../../src/contract/pet-fields.ts';
import { renderCsvHeader, renderCsvLine } from '../../../src/terminal/records/pet-csv.ts';

const plain = { fields: petFields, isExcel: false, isForScreen: false };
const excel = { ...plain, isExcel: true };

function pet(name: string, status?: Pet['status']): Pet {
  return { id: 9223372036854775807n, name, categoryId: -1n, ...(status && { status }) };
}

describe('a pet as a line of CSV', () => {
  it('any name comes back from a parser that is not ours', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const text = renderCsvHeader(plain) + renderCsvLine(pet(name, 'sold'), plain);
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
  ])('%j is written %s', (name, field) => {
    expect(renderCsvLine(pet(name), plain)).toBe(`9223372036854775807,${field},-1,\n`);
  });

  it.each(['=HYPERLINK("http://evil.example")', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1'])(
    'for Excel %j is no formula',
    (name) => {
      const [record] = parse(renderCsvLine(pet(name), excel), { record_delimiter: '\r\n' });
      expect(record).toEqual(['="9223372036854775807"', `'${name}`, '="-1"', '']);
    },
  );

  it('for Excel the file begins with a byte order mark and lines end with CRLF', () => {
    expect(renderCsvHeader(excel)).toBe('\ufeffid,name,categoryId,status\r\n');
  });
});
