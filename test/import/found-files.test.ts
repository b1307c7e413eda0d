import { CFB, utils, write } from '@e965/xlsx';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { explain, readFile, readPets } from './read-rows.ts';
import { type Cell, createWorkbook, createWorkbookWith, formatSheet } from './workbook.ts';

const header = ['name', 'category', 'status'];
const number = (xml: string): Cell => ({ attributes: '', xml: `<v>${xml}</v>` });
const pets = [header, ['Rex', number('7'), 'sold']];
const lookups = [['Status'], ['available'], ['sold']];
const error: Cell = { attributes: 't="e"', xml: '<v>#N/A</v>' };

/** SheetJS writes no row that is hidden to .xls: its record is put behind the start of the sheet, the second of the book. */
function hideSecondRow(bytes: Uint8Array): Uint8Array {
  const file = CFB.parse(Buffer.from(bytes));
  const book = Buffer.from(CFB.find(file, 'Workbook')?.content ?? []);
  const start = Buffer.from([0x09, 0x08]);
  const at = book.indexOf(start, book.indexOf(start) + 1);
  const end = at + 4 + book.readUInt16LE(at + 2);
  const row = Buffer.from([0x08, 0x02, 16, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0]);
  const hidden = Buffer.concat([book.subarray(0, end), row, book.subarray(end)]);
  CFB.utils.cfb_add(file, '/Workbook', hidden);
  return Buffer.from(CFB.write(file, { type: 'buffer' }));
}

describe('a workbook as people have it', () => {
  it.each([
    ['with a line end behind it', Buffer.concat([createWorkbook(pets), Buffer.from('\n')])],
    ['with NULs behind it', Buffer.concat([createWorkbook(pets), Buffer.alloc(64)])],
    ['with allowed values in the first sheet', createWorkbook(lookups, pets)],
    ['with an empty sheet in front', createWorkbook([], pets)],
    [
      'with a title above the header',
      createWorkbook([['Delivery of May, by category'], [], ...pets]),
    ],
    [
      'with a title that is a name of a column',
      createWorkbook([['Name'], ['Shop of Ada'], ...pets]),
    ],
    [
      'with invisible characters in the header',
      createWorkbook([['\u200bname', 'cate\u00adgory\u00a0', 'status'], ...pets.slice(1)]),
    ],
    ['with the header once more', createWorkbook([...pets, header])],
    [
      'with a number in another spelling',
      createWorkbook([header, ['Rex', number('7.0E0'), 'sold']]),
    ],
    [
      'with a number as it is shown',
      createWorkbook([header, ['Rex', number('7.000000000000001'), 'sold']]),
    ],
    [
      'with an error in a column that is not a pet’s',
      createWorkbook([
        [...header, 'Price'],
        ['Rex', number('7'), 'sold', error],
      ]),
    ],
  ])('is read %s', async (_, bytes) => {
    expect(await readPets(bytes)).toEqual(['Rex 7 sold']);
  });

  it.each(['xls', 'ods', 'xlsb'] as const)('is read as .%s', async (bookType) => {
    const book = utils.book_new(utils.aoa_to_sheet([header, ['Rex', 7, 'sold']]), 'Pets');
    const bytes: unknown = write(book, { bookType, type: 'buffer' });
    if (!(bytes instanceof Uint8Array)) throw new Error('It was not written.');
    expect(await readPets(Buffer.from(bytes))).toEqual(['Rex 7 sold']);
  });

  it('is read from its first visible sheet, and says what else has rows', async () => {
    const hidden = {
      xml: formatSheet([header, ['Old', number('1'), 'sold']]),
      attributes: 'state="hidden"',
    };
    const very = { ...hidden, attributes: 'state="veryHidden"' };
    const bytes = createWorkbookWith([
      hidden,
      very,
      { xml: formatSheet(pets) },
      { xml: formatSheet(pets) },
    ]);
    expect(await readPets(bytes)).toEqual(['Rex 7 sold']);
    expect((await readFile(bytes)).warnings).toEqual([
      'Only the sheet Sheet3 is read, not Sheet4.',
    ]);
  });

  it.each(['xls', 'xlsb'] as const)('says how many rows are hidden in .%s', async (bookType) => {
    const sheet = utils.aoa_to_sheet([header, ['Rex', 7, 'sold'], ['Mia', 8, '']]);
    sheet['!rows'] = [{}, { hidden: true }];
    const bytes: unknown = write(utils.book_new(sheet, 'Pets'), { bookType, type: 'buffer' });
    if (!(bytes instanceof Uint8Array)) throw new Error('It was not written.');
    const book = bookType === 'xls' ? hideSecondRow(bytes) : bytes;
    expect((await readFile(Buffer.from(book))).warnings).toEqual([
      '1 of the rows is hidden or filtered out in pets.',
    ]);
  });

  it('is refused as a document of Numbers', async () => {
    const bytes = zipSync({ 'Index/Document.iwa': new Uint8Array(50) });
    expect((await explain(Buffer.from(bytes)))[0]).toBe('pets is a document of Numbers.');
  });

  it('is refused with a password', async () => {
    const file = CFB.utils.cfb_new();
    for (const name of ['EncryptionInfo', 'EncryptedPackage'])
      CFB.utils.cfb_add(file, `/${name}`, Buffer.from('\x04\0\x04\0\x40\0\0\0<encryption/>'));
    const bytes = Buffer.from(CFB.write(file, { type: 'buffer' }));
    expect((await explain(bytes))[0]).toBe('pets is protected by a password.');
  });

  it('says how many rows are hidden', async () => {
    const xml = formatSheet([...pets, ['Mia', number('8')]]).replace(
      '<row r="3">',
      '<row r="3" hidden="1">',
    );
    expect((await readFile(createWorkbookWith([{ xml }]))).warnings).toEqual([
      '1 of the rows is hidden or filtered out in pets.',
    ]);
  });

  it.each([
    [
      'an error in an optional column',
      ['Rex', number('7'), error],
      'column C (status): #N/A is an error',
    ],
    ['an error in the name', [error, number('7')], 'column A (name): #N/A is an error'],
    [
      'a formula without a value',
      ['Rex', { attributes: '', xml: '<f>A1</f>' }],
      'column B (category): the formula =A1 has no value yet',
    ],
    [
      'more digits than a spreadsheet keeps',
      ['Rex', number('1234567890123456')],
      'the spreadsheet has shortened it',
    ],
  ])('is refused with %s', async (_, cells, words) => {
    expect((await explain(createWorkbook([header, cells])))[1]).toContain(words);
  });

  it('keeps every digit of a number in another spelling', async () => {
    const rows = [header, [number('1.2345678E7'), number('1.2345678E7')]];
    expect(await readPets(createWorkbook(rows))).toEqual(['12345678 12345678']);
  });

  it('names its sheets where none has the columns', async () => {
    const [message, first] = await explain(createWorkbook(lookups, [['x', 'y']]));
    expect([message, first]).toEqual([
      'pets has no sheet with a name and a category column.',
      'the sheets with rows are Sheet1, Sheet2',
    ]);
  });

  it('of a million formatted rows without content is read in seconds', async () => {
    const empty = Array.from({ length: 1_000_000 }, (_, at) => `<row r="${at + 3}" s="1"/>`).join(
      '',
    );
    const bytes = createWorkbookWith([{ xml: formatSheet(pets) + empty }]);
    expect(await readPets(bytes)).toEqual(['Rex 7 sold']);
  });
});

describe('CSV as people have it', () => {
  it.each([
    ['a NUL at its end', 'name,category,status\nRex,7,sold\n\0'],
    ['Ctrl-Z at its end', 'name,category,status\r\nRex,7,sold\r\n\x1a'],
    ['sep=|', 'sep=|\nname|category|status\nRex|7|sold\n'],
    ['bars without saying so', 'name|category|status\nRex|7|sold\n'],
    ['sep= and a tab', 'sep=\t\nname\tcategory\tstatus\nRex\t7\tsold\n'],
    ['the header once more', 'name,category,status\nRex,7,sold\nname,category,status\n'],
    ['a title above the header', 'Delivery of May\n\nname,category,status\nRex,7,sold\n'],
    ['a title that is a name of a column', 'Name\nname,category,status\nRex,7,sold\n'],
    [
      'other columns, one with line breaks',
      'No,name,category,status,Remark\n1,Rex,7,sold,"good\ndog"\n',
    ],
    ['category and its number', 'name,category,Category ID,status\nRex,fish,7,sold\n'],
    ['names of categories', 'name,category,status\nRex, fish ,sold\n'],
  ])('is read with %s', async (_, text) => {
    expect(await readPets(text)).toEqual(['Rex 7 sold']);
  });

  it('names the columns that are read past', async () => {
    const { otherColumns } = await readFile('No,name,category,,\n1,Rex,7,x,\n');
    expect(otherColumns).toEqual(['column A (No)', 'column D']);
  });
});

it('reads past members of JSON that are not a pet’s, also objects', async () => {
  const text =
    '[{"name":"Rex","category":"fish","owner":{"name":"Bo"},"tags":["a"],"Status":"SOLD"}]';
  expect(await readPets(text)).toEqual(['Rex 7 sold']);
  expect((await readFile(text)).otherColumns).toEqual(['owner', 'tags']);
});
