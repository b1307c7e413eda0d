import { describe, expect, it } from 'vitest';
import { readFile, readPets, readRows } from './read-rows.ts';
import { createWorkbook } from './workbook.ts';

const csv = 'name,category,status\nRex,7,sold\nO’Malley €,8,\n';
const pets = ['Rex 7 sold', 'O’Malley € 8'];
const json =
  '{"name":"Rex","categoryId":7,"status":"sold"}\n{"name":"O’Malley €","categoryId":8}\n';

function toUtf16(text: string, order: 'little' | 'big', hasMark: boolean): Buffer {
  const bytes = Buffer.from(hasMark ? `\uFEFF${text}` : text, 'utf16le');
  return order === 'little' ? bytes : bytes.swap16();
}

/** ’ is 0x92 and € is 0x80. */
function toWindows1252(text: string): Buffer {
  return Buffer.from(text.replaceAll('’', '\x92').replaceAll('€', '\x80'), 'latin1');
}

const encodings = [
  ['UTF-8', false, (text: string) => Buffer.from(text)],
  ['UTF-8 with a mark', false, (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 LE with a mark', false, (text: string) => toUtf16(text, 'little', true)],
  ['UTF-16 BE with a mark', false, (text: string) => toUtf16(text, 'big', true)],
  ['UTF-16 LE', false, (text: string) => toUtf16(text, 'little', false)],
  ['UTF-16 BE', false, (text: string) => toUtf16(text, 'big', false)],
  ['Windows-1252', true, toWindows1252],
] as const;

const contents = [
  ['commas', csv],
  ['semicolons', csv.replaceAll(',', ';')],
  ['tabs', csv.replaceAll(',', '\t')],
  ['NDJSON', json],
  ['a JSON array', `[${json.trim().replace('\n', ',')}]`],
  [
    'objects as jq prints them',
    json.replaceAll('{', '{\n  ').replaceAll(',"', ',\n  "').replaceAll('}', '\n}'),
  ],
] as const;

describe.each(encodings)('a file in %s', (_, isGuessed, encode) => {
  it.each(contents)('with %s is read', async (_, text) => {
    expect(await readPets(encode(text))).toEqual(pets);
    expect((await readFile(encode(text))).warnings).toHaveLength(isGuessed ? 1 : 0);
  });
});

it('reads every character that Windows-1252 has between 0x80 and 0x9F', async () => {
  const characters = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
  const bytes = Array.from({ length: 32 }, (_, index) => 0x80 + index);
  const defined = bytes.filter((byte) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte));
  const start = Buffer.from('name,category\nA');
  const [row] = await readRows(Buffer.concat([start, Buffer.from(defined), Buffer.from(',7\n')]));
  expect(row?.pet.name).toBe(`A${characters}`);
});

describe('a table', () => {
  it.each([
    ['columns in any order', 'status,name,category\nsold,Rex,7\n'],
    ['names in any case', 'NAME,CATEGORY,Status\nRex,7,sold\n'],
    ['names with blanks, underscores and dashes', ' na_me ,Category ID,Sta-tus\nRex,7,sold\n'],
    ['names in quotation marks', '"name","categoryId","status"\n"Rex","7","sold"\n'],
    ['a status in any case', 'name,category,status\nRex,7, SOLD\n'],
    ['a number with a decimal', 'name,category,status\nRex,7.0,sold\n'],
    ['a number with a decimal comma', 'name;category;status\nRex;7,00;sold\n'],
    ['sep=; in its first line', 'sep=;\nname;category;status\nRex;7;sold\n'],
    ['sep=, in quotation marks', '"sep=,"\r\nname,category,status\r\nRex,7,sold\r\n'],
    ['lines that end in CRLF', 'name,category,status\r\nRex,7,sold\r\n'],
    ['lines that end in CR', 'name,category,status\rRex,7,sold\r'],
    ['line ends of two kinds', 'name,category,status\r\nRex,7,sold\n\n'],
    ['no line end at its end', 'name,category,status\nRex,7,sold'],
    ['blank rows', '\n,,\nname,category,status\n\n , ,\nRex,7,sold\n;\n'.replace(';', ',')],
    ['an empty column', 'name,,category,status\nRex,,7,sold\n'],
    ['empty cells after the last column', 'name,category,status,,\nRex,7,sold,,,\n'],
    ['spaces around quotation marks', 'name,category,status\n "Rex" , "7" , "sold" \n'],
    ['an id, as list writes it', 'id,name,categoryId,status\n4711,Rex,7,sold\n'],
    ['reasons, as --rejects writes them', 'name,category,status,reason\nRex,7,sold,too busy\n'],
  ])('with %s is read', async (_, text) => {
    expect(await readPets(text)).toEqual(['Rex 7 sold']);
  });

  it('takes text with a separator in quotation marks, whatever follows it', async () => {
    const text = 'name, category\n"Ada, the second", 7\n"Rex ""the dog""",8\n5" Max,9\n';
    expect(await readPets(text)).toEqual(['Ada, the second 7', 'Rex "the dog" 8', '5" Max 9']);
  });

  it('keeps every digit of an int64', async () => {
    const [row] = await readRows('name,category\nRex,9223372036854775807\n');
    expect(row?.pet.categoryId).toBe(9223372036854775807n);
  });

  it('counts lines as an editor does, also where a cell holds a line break', async () => {
    const rows = await readRows('name,category\n\nRex,7\n,\nMia,8\n');
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });
});

describe('JSON', () => {
  it.each([
    [
      'an array over several lines',
      '[\n  {"name":"Rex","categoryId":7},\n  {"name":"Mia","categoryId":8}\n]\n',
      [2, 3],
    ],
    [
      'an array in one line',
      ' [{"name":"Rex","categoryId":7},{"name":"Mia","categoryId":8}]',
      [1, 1],
    ],
    [
      'NDJSON with blank lines',
      '{"name":"Rex","categoryId":7}\r\n\r\n{"name":"Mia","categoryId":8}',
      [1, 3],
    ],
    [
      'braces and quotation marks in names',
      '{"name":"Rex","categoryId":7}\n{"name":"M{\\"}ia","categoryId":8}',
      [1, 2],
    ],
  ])('of %s is read', async (_, text, lines) => {
    const rows = await readRows(text);
    expect(rows.map(({ line }) => line)).toEqual(lines);
    expect(rows.map(({ pet }) => pet.categoryId)).toEqual([7n, 8n]);
  });

  it('may give integers as text, a null status, and an id', async () => {
    const text = '[{"id":1,"name":"Rex","categoryId":"9223372036854775807","status":null}]';
    expect(await readPets(text)).toEqual(['Rex 9223372036854775807']);
  });

  it('may have a long text in another member', async () => {
    const photo = 'x'.repeat(10 * 1024 * 1024);
    expect(await readPets(`{"name":"Rex","categoryId":7,"photo":"${photo}"}`)).toEqual(['Rex 7']);
  });
});

it('reads a file by its content, unless --format says what it is', async () => {
  expect(await readPets('{"name":"Rex","categoryId":7}', 'json')).toEqual(['Rex 7']);
  expect(await readPets('[{"name":"Rex","categoryId":7}]', 'ndjson')).toEqual(['Rex 7']);
  expect(await readPets('name,category\n{Rex},7', 'csv')).toEqual(['{Rex} 7']);
});

describe('a workbook', () => {
  const number = (xml: string) => ({ attributes: '', xml: `<v>${xml}</v>` });

  it('is read from its first sheet with the columns', async () => {
    const notes = [['Delivery of May'], ['nothing here']];
    const sheet = [
      ['November'],
      [],
      ['Status', 'Name', 'Category'],
      ['Sold', 'Rex', number('7')],
      [undefined, 'O’Malley €', number('8.0')],
    ];
    expect(await readPets(createWorkbook(notes, sheet))).toEqual(pets.map((pet) => pet));
  });

  it('keeps every digit of a number that is text', async () => {
    const sheet = [
      ['name', 'category'],
      ['Rex', '9223372036854775807'],
    ];
    expect(await readPets(createWorkbook(sheet))).toEqual(['Rex 9223372036854775807']);
  });

  it('takes the result of a formula, and a number for a name', async () => {
    const formula = { attributes: 't="str"', xml: '<f>A1&amp;"x"</f><v>Rex x</v>' };
    const sheet = [
      ['name', 'category'],
      [formula, number('7')],
      [number('99'), number('8')],
    ];
    expect(await readPets(createWorkbook(sheet))).toEqual(['Rex x 7', '99 8']);
  });
});
