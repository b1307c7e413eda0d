import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
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
});
