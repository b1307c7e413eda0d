import { Readable } from 'node:stream';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { NewPet, petStatuses } from '../../../src/contract/pet.ts';
import { openStreamInput } from '../../../src/import/read/open-input.ts';
import { readRows } from '../../../src/import/read/read-rows.ts';
import { readAll, readPets, readProblems } from '../support.ts';

const rex = { name: 'Rex', categoryId: 4n, status: 'sold' };

describe('reading CSV', () => {
  it.each([
    ['commas', 'name,categoryId,status\nRex,4,sold\n'],
    ['semicolons, as Excel writes them in half of Europe', 'name;categoryId;status\nRex;4;sold\n'],
    ['tabs', 'name\tcategoryId\tstatus\nRex\t4\tsold\n'],
    ['a byte order mark and CRLF', '\uFEFFname,categoryId,status\r\nRex,4,sold\r\n'],
    ['no line end after the last row', 'name,categoryId,status\nRex,4,sold'],
    ['blank rows', '\nname,categoryId,status\n\n, ,\nRex,4,sold\n\n'],
    ['mixed line ends', 'name,categoryId,status\r\nRex,4,sold\n'],
    ['quoted cells', '"name","categoryId","status"\n"Rex","4","sold"\n'],
    ['other order, spaces around names and numbers', 'status, categoryId ,name\nsold, 4,Rex\n'],
    ['other spellings of the columns', ' STATUS ,Category Id,Name\nsold,4,Rex\n'],
    ['the word category, and a status in any case', 'Name,Category,Status\nRex,4,SOLD\n'],
    ['a dash, an underscore', 'name;category_id;Sta-tus\nRex;4; Sold \n'],
    ['the words that the program asks with', 'Name,Category number,Status\nRex,4,Sold\n'],
    ['a line that tells Excel the delimiter', 'sep=;\r\nname;categoryId;status\r\nRex;4;sold\r\n'],
    ['a blank first line', '\r\nname;categoryId;status\r\nRex;4;sold\r\n'],
    ['a first line of spaces', '   \nname,categoryId,status\nRex,4,sold\n'],
    ['a blank first row, as a spreadsheet saves it', ';;\nname;categoryId;status\nRex;4;sold\n'],
    ['a blank row after a byte order mark', '\uFEFF,,\r\nname,categoryId,status\r\nRex,4,sold'],
    ['a blank row of quotes', '"","",""\nname,categoryId,status\nRex,4,sold\n'],
    ['blank lines around `sep=;`', ' \nsep=;\n;;\nname;categoryId;status\nRex;4;sold\n'],
    ['empty columns at the end', 'name,categoryId,status,,\nRex,4,sold,,\n,,,,\n'],
    ['empty cells after the last column', 'name,categoryId,status\nRex,4,sold, ,\n'],
    ['an empty cell in a column without a name', 'name,categoryId,status,\nRex,4,sold, \n'],
    ['an id column', 'id,name,categoryId,status\n17,Rex,4,sold\n'],
    ['ids as text, quoted', '\uFEFFid,name,categoryId,status\r\n"=""17""",Rex,"=""4""",sold\r\n'],
    [
      'ids as text, as spreadsheets write them',
      '\uFEFFid,name,categoryId,status\r\n="17",Rex,="4",sold\r\n',
    ],
  ])('takes %s', async (_, text) => {
    expect(await readPets(text, 'csv')).toEqual([rex]);
  });

  it.each([
    ['a first line of blanks', `${' '.repeat(65_536)}\nname,categoryId\nRex,4\n`],
    [
      'a first line of many columns',
      `name,categoryId,${Array.from({ length: 12_000 }, (_, at) => `c${at}`).join(',')}\n`,
    ],
  ])('takes time in proportion to the length of %s', async (_, text) => {
    const before = performance.now();
    await readAll(Readable.from([Buffer.from(text)]), 'csv').catch(() => {});
    // By the square of the length it would be ten seconds and more.
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it.each(['', '\n\n', ' ,\t\n', '\uFEFF;;\r\n', '"",""\n'])('finds no row in %j', async (text) => {
    expect((await readAll(text, 'csv')).rows).toEqual([]);
  });

  it('finds the semicolons of blank rows, though what is below them was not read yet', async () => {
    const header = 'name;categoryId;status\n';
    const content = `${';;\n'.repeat(2_000)}${header}Rex;4;sold\n`;
    expect(await readPets(content, 'csv')).toEqual([rex]);
  });

  it('an empty status is an absent one', async () => {
    const text = 'name,categoryId,status\nRex,4,\n"Mia",5,""\nTom,6, \n';
    expect(await readPets(text, 'csv')).toEqual([
      { name: 'Rex', categoryId: 4n },
      { name: 'Mia', categoryId: 5n },
      { name: 'Tom', categoryId: 6n },
    ]);
  });

  it('keeps commas, quotes and the spaces of a name', async () => {
    expect(await readPets('name,categoryId\n" Rex, ""the dog"" ",4\n', 'csv')).toEqual([
      { name: ' Rex, "the dog" ', categoryId: 4n },
    ]);
  });

  it('finds the delimiter in the first line, though it begins with blanks', async () => {
    expect(await readPets('  name;categoryId\nRex, Max, Tom;4\n', 'csv')).toEqual([
      { name: 'Rex, Max, Tom', categoryId: 4n },
    ]);
  });

  it('takes the formula guard off a name only where --excel put it', async () => {
    const rows = "name,categoryId\n'=1+1,4\n'Tis=1,4\nTom '=1,4\n";
    const others = [{ name: "'Tis=1" }, { name: "Tom '=1" }];
    const guarded = await readPets(`\uFEFF${rows}`, 'csv');
    expect(guarded).toMatchObject([{ name: '=1+1' }, ...others]);
    expect(await readPets(rows, 'csv')).toMatchObject([{ name: "'=1+1" }, ...others]);
  });

  it('takes each row as it ends: by LF, by CRLF, or by CR as on old Macs', async () => {
    expect(await readPets('name,categoryId\nRex,4\rMia,5\r\nTom,12\n', 'csv')).toMatchObject([
      { name: 'Rex', categoryId: 4n },
      { name: 'Mia', categoryId: 5n },
      { name: 'Tom', categoryId: 12n },
    ]);
    expect(await readProblems('name,categoryId\rRex,4\rMia,x\r', 'csv')).toEqual([
      '3:2 categoryId: "x" is not a category number: write a whole number such as 7',
    ]);
  });

  it("keeps each row's own text and line, without the blank lines around it", async () => {
    const text = 'name,categoryId\n\n"Rex,\nI",x\n\n\n"Mia, II",="12"\n';
    const { rows } = await readAll(text, 'csv');
    expect(rows).toMatchObject([
      {
        problems: [
          { line: 3, column: 1 },
          { line: 3, column: 2 },
        ],
      },
      { line: 7, source: '"Mia, II",="12"', pet: { name: 'Mia, II', categoryId: 12n } },
    ]);
  });

  it.each([
    ['name,categoryId\r\nRex,4\r\n', 'name,categoryId'],
    ['\uFEFFname,categoryId\nRex,4\n', '\uFEFFname,categoryId'],
  ])('hands over the first line of %j, for a file of its rejected rows', async (text, header) => {
    const { header: found, notices } = await readAll(text, 'csv');
    expect(found).toBe(header);
    expect(notices).toEqual([]);
  });

  it('is read without anybody who wants its first line', async () => {
    const content = Readable.from([Buffer.from('name,categoryId\nRex,4\n')]);
    const { source } = await openStreamInput(content, new AbortController().signal, 'csv');
    for await (const rows of readRows(source, 'csv', { onNotice: () => {} }))
      expect(rows.length).toBeLessThan(2);
  });

  it('fails with the failure of its input', async () => {
    async function* fail() {
      yield Buffer.from(`name,categoryId\n${'Rex,4\n'.repeat(1000)}`);
      throw new Error('the disk is gone');
    }
    await expect(readAll(Readable.from(fail()), 'csv')).rejects.toThrow('the disk is gone');
  });

  it('says which delimiter it found, and that ids are ignored, once each', async () => {
    const { notices } = await readAll('id;name;categoryId\n1;Rex;4\n2;Mia;5\n', 'csv');
    expect(notices).toEqual([
      'Read with semicolons between the columns.',
      'The ids in the file are ignored: the service assigns new ones.',
    ]);
  });

  it.each([
    [
      'Nmae,Category\nx,1\n',
      ['1:1 Nmae: is not a pet column. Did you mean name? Columns: name, categoryId, status, id'],
    ],
    [
      'Price,categry_id,staus\nx,1,sold\n',
      [
        '1:1 Price: is not a pet column. Columns: name, categoryId, status, id',
        '1:2 categry_id: is not a pet column. Did you mean categoryId? Columns: name, categoryId, status, id',
        '1:3 staus: is not a pet column. Did you mean status? Columns: name, categoryId, status, id',
        '1:1: there is no column name; the first line must name the columns',
      ],
    ],
    [
      'name,Category,category_id\nx,1,2\n',
      ['1:3 categoryId: is given twice in the first line, as Category and category_id'],
    ],
    [
      'Rex,7,sold\nMia,8,sold\n',
      [
        '1:1: the first line must name the columns, such as name,category,status; it is: Rex, 7, sold',
      ],
    ],
    [
      'name,categoryId,\nRex,1,yes\nMia,2,\n',
      ['2:3: is in a column that the first line gives no name'],
    ],
    ['name,name,categoryId\nx,y,1\n', ['1:2 name: is given twice in the first line']],
    ['sep=,\r\nname,name,categoryId\n', ['2:2 name: is given twice in line 2']],
    [
      '\n\nname,Name\n',
      [
        '3:2 name: is given twice in line 3, as name and Name',
        '3:1: there is no column categoryId; line 3 must name the columns',
      ],
    ],
    [
      '\n\nRex,7\n',
      ['3:1: line 3 must name the columns, such as name,category,status; it is: Rex, 7'],
    ],
    [
      ',\n  \nRex,7\n',
      ['3:1: line 3 must name the columns, such as name,category,status; it is: Rex, 7'],
    ],
    [
      'sep=;\nname;categoryId;\nRex;1\nMia;2;yes\n',
      [
        '3:2: has 2 values, but line 2 has 3 columns',
        '4:3: is in a column that line 2 gives no name',
      ],
    ],
  ])('names the mistakes of the columns %j', async (text, problems) => {
    expect(await readProblems(text, 'csv')).toEqual(problems);
  });

  it.each([
    [
      'Re"x,1',
      '2:1: holds a quote that is not doubled, or not closed; put the text in quotes and double those inside',
    ],
    [
      '"Re"x,1',
      '2:1: holds a quote that is not doubled, or not closed; put the text in quotes and double those inside',
    ],
    [
      'Rex,"1"x',
      '2:2: holds a quote that is not doubled, or not closed; put the text in quotes and double those inside',
    ],
    [
      'Rex,"x=""17"""',
      '2:2 categoryId: "x=\\"17\\"" is not a category number: write a whole number such as 7',
    ],
    [
      'Rex,"=""17""x"',
      '2:2 categoryId: "=\\"17\\"x" is not a category number: write a whole number such as 7',
    ],
    [
      'Rex,1,2',
      '2:2: has 3 values, but the first line has 2 columns; text with a comma in it needs quotes',
    ],
    ['Rex', '2:1: has 1 value, but the first line has 2 columns'],
    ['Rex,1.5', '2:2 categoryId: "1.5" is not a category number: write a whole number such as 7'],
    [
      'Rex,9223372036854775808',
      '2:2 categoryId: "9223372036854775808" is not a category number (the largest is 9223372036854775807)',
    ],
    [
      'Rex,1E+15',
      '2:2 categoryId: "1E+15" is not a category number: Excel has shortened it; give the column the format Number, without decimals, and type it again',
    ],
    [',1', '2:1 name: is missing'],
  ])('refuses the row %j and reads on', async (row, problem) => {
    expect(await readProblems(`name,categoryId\n${row}\nMia,x\n`, 'csv')).toEqual([
      problem,
      '3:2 categoryId: "x" is not a category number: write a whole number such as 7',
    ]);
  });

  it.each([
    [
      'avaliable',
      '"avaliable" is not a status: write available, pending or sold. Did you mean available?',
    ],
    ['gone', '"gone" is not a status: write available, pending or sold'],
    ['="1"', '"=\\"1\\"" is not a status: write available, pending or sold'],
  ])('says what the statuses are, instead of %s', async (status, reason) => {
    expect(await readProblems(`name,category,status\nRex,1,${status}\n`, 'csv')).toEqual([
      `2:3 status: ${reason}`,
    ]);
  });

  it('ends at a row that is longer than any pet, whatever follows it', async () => {
    const row = (length: number) => `${'x'.repeat(length)},y\n`;
    const rest = 'Mia,2\n'.repeat(50_000);
    expect(await readProblems(`name,categoryId\n\n${row(129 * 1024)}${rest}`, 'csv')).toEqual([
      '3:1: a row is longer than 128 KiB; is a quote left open?',
    ]);
    expect(await readProblems(`name,categoryId\n${row(127 * 1024)}`, 'csv')).toHaveLength(2);
  });

  it('refuses bytes that are not UTF-8, by their row', async () => {
    const bytes = Buffer.from('categoryId,name\n2,Mia\n1,Zo\xeb\n', 'latin1');
    expect(await readProblems(bytes, 'csv')).toEqual([
      '3:2 name: has letters that are not saved as UTF-8: in Excel, save the file as "CSV UTF-8"',
    ]);
  });

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
