import { describe, expect, it } from 'vitest';
import { explain } from './read-rows.ts';
import { createWorkbook, createWorkbookOf } from './workbook.ts';

const header = 'name,category,status\n';

describe('a mistake is said with its line, column and value, and the cure', () => {
  it.each([
    [
      'a word for a category',
      `${header}Rex,dog,\n`,
      [
        'line 2, column B (category): "dog" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'half a category',
      `${header}Rex,7.5,\n`,
      [
        'line 2, column B (category): "7.5" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'seven thousand, or seven',
      `${header}Rex,7.000,\n`,
      [
        'line 2, column B (category): "7.000" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'no category',
      `${header}Rex,,sold\n`,
      ['line 2, column B (category) is empty: write a whole number such as 7'],
    ],
    [
      'a category beyond int64',
      `${header}Rex,9223372036854775808,\n`,
      [
        'line 2, column B (category): "9223372036854775808" is not a category number (the largest is 9223372036854775807)',
      ],
    ],
    [
      'a category that a spreadsheet shortened',
      `${header}Rex,1.23E+15,\n`,
      [
        'line 2, column B (category): "1.23E+15" is not a category number: the spreadsheet has shortened it; give the column the format Text and type it again',
      ],
    ],
    ['no name', `${header},7,\n`, ['line 2, column A (name) is empty: write a name']],
    ['a blank name', `${header}" ",7,\n`, ['line 2, column A (name) is empty: write a name']],
    [
      'a long name',
      `${header}${'Rex '.repeat(70)},7,\n`,
      [
        'line 2, column A (name): "Rex Rex Rex Rex Rex Rex Rex Rex Rex Rex…" is longer than 255 characters',
      ],
    ],
    [
      'a control character',
      `${header}R\u0007ex,7,\n`,
      [
        'line 2, column A (name): "R\\u0007ex" contains a character that cannot be seen: type it again',
      ],
    ],
    [
      'a lost letter',
      `${header}J\uFFFDrgen,7,\n`,
      [
        'line 2, column A (name) contains U+FFFD (\uFFFD), which stands for a letter that was lost because it was not in UTF-8: type it again',
      ],
    ],
    [
      'a status',
      `${header}Rex,7,gone\n`,
      ['line 2, column C (status): "gone" is not a status: write available, pending, or sold'],
    ],
    [
      'a line break in a name',
      `${header}"Rex\r\nthe dog",7,\nMia,x,\n`,
      [
        'line 2, column A (name): "Rex\\r\\nthe dog" contains a line break: remove it, or the quotation mark in front of it',
        'line 4, column B (category): "x" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'a lone quotation mark at the start',
      `${header}"Rex,7,\nMia,8,\n`,
      [
        'line 2 has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice',
      ],
    ],
    [
      'a lone quotation mark that another closes',
      `${header}"Rex,7,\n"Mia,8,\n`,
      [
        'line 2 has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice (also in line 3)',
      ],
    ],
    [
      'text after a quotation mark',
      `${header}"Rex" the dog,7,\n`,
      [
        'line 2 has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice',
      ],
    ],
    [
      'a separator in a name',
      `${header}Rex, the dog,7,sold\n`,
      [
        'line 2 has more values than line 1 has columns: put text that contains a separator in quotation marks',
      ],
    ],
    [
      'a column given twice',
      'name,category,Name\nRex,7,Max\n',
      ['line 1, column C (Name) is given twice: remove one of the two, or its name'],
    ],
    [
      'a category that contradicts its number',
      'name,category,Category ID\nRex,fish,8\n',
      ['line 2, column B (category): "fish" is not category 8, which the same row has'],
    ],
    [
      'one that differs from it in the last of many digits',
      'name,category,Category ID\nRex,9007199254740992,9007199254740993\n',
      [
        'line 2, column B (category): "9007199254740992" is not category 9007199254740993, which the same row has',
      ],
    ],
    [
      "a row within a value that is not a pet's",
      'name,category,remark\nRex,7,"5 inch\nMia,8,6"\n',
      ['line 2 has other rows within one value: remove the quotation mark in front of them'],
    ],
    [
      'no column for the category',
      'name,status\nRex,sold\n',
      ['line 1 has no category column: add it'],
    ],
    [
      'no header',
      'Rex,7,sold\nMia,8,sold\n',
      ['line 1 must name the columns, such as name,category,status; it is: "Rex,7,sold"'],
    ],
    [
      'a value of JSON',
      '[{"name":7,"categoryId":7}]',
      ['line 1 (name): 7 is not a name: write it as text'],
    ],
    [
      'a member given twice',
      '{"name":"Rex","name":"Max","categoryId":7}',
      ['line 1 (name) is given twice'],
    ],
    [
      'JSON without quotation marks',
      '{name: "Rex"}',
      [
        'line 1: "{name: \\"Rex\\"}" is not JSON: write objects such as {"name":"Rex","categoryId":7,"status":"sold"}',
      ],
    ],
    [
      'an array of numbers',
      '[7]',
      [
        'line 1: "7]" is not JSON: write objects such as {"name":"Rex","categoryId":7,"status":"sold"}',
      ],
    ],
    [
      'an array that was cut off',
      '[{"name":"Rex","categoryId":7},\n',
      ['line 2 ends in the middle of the array: get a complete copy'],
    ],
    [
      'an object that was cut off',
      '{"name":"Rex","categoryId":7}\n{"name":"Mia',
      [
        'line 2: "{\\"name\\":\\"Mia" is not JSON: write objects such as {"name":"Rex","categoryId":7,"status":"sold"}',
      ],
    ],
  ])('%s', async (_, text, lines) => {
    expect((await explain(text)).slice(1)).toEqual(lines);
  });

  it('in a workbook, by the letters of columns', async () => {
    const number = (xml: string) => ({ attributes: '', xml: `<v>${xml}</v>` });
    const date = { attributes: 's="1"', xml: '<v>45000</v>' };
    const failed = { attributes: 't="e"', xml: '<f>1/0</f><v>#DIV/0!</v>' };
    const sheet = [
      ['id', 'Name', 'Category'],
      [undefined, date, number('7')],
      [undefined, failed, number('7')],
      [undefined, 'Rex', number('1234567890123456789')],
    ];
    expect((await explain(createWorkbook(sheet))).slice(1)).toEqual([
      'line 2, column B (Name): 2023-03-15 is a date: give the column the format Text and type it again',
      'line 3, column B (Name): #DIV/0! is an error of the spreadsheet: correct the formula, or type the value',
      'line 4, column C (Category): "1.2345678901234568e+18" is not a category number: the spreadsheet has shortened it; give the column the format Text and type it again',
    ]);
  });
});

it('says each cause once, with all its lines, and 50 causes at most', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `Rex,x${index},\n`).join('');
  const [message, first, ...others] = await explain(`${header}${',7,\n'.repeat(9)}${rows}`);
  expect(message).toBe('pets has 69 mistakes; nothing was sent.');
  expect(first).toBe(
    'line 2, column A (name) is empty: write a name (also in lines 3, 4, 5, 6, 7 and 3 more)',
  );
  expect(others).toHaveLength(50);
  expect(others.at(-1)).toBe('and 11 more');
});

describe('what cannot be imported is refused in words', () => {
  it.each([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'pets cannot be read.'],
    [
      'a compressed file',
      Buffer.from('1f8b0800', 'hex'),
      'pets is neither a workbook (.xlsx) nor text.',
    ],
    [
      'bytes',
      Buffer.from('name,category\nA\0,7\n'),
      'pets is neither a workbook (.xlsx) nor text.',
    ],
    ['an empty file', Buffer.from(''), 'pets is empty.'],
    [
      'a web page with the name of a workbook',
      Buffer.from('<html><table><tr><td>name</td></tr></table></html>'),
      'pets is a web page or XML, whatever its name says.',
    ],
    [
      'XML with the name of a workbook',
      Buffer.from('<?xml version="1.0"?>\n<Workbook/>'),
      'pets is a web page or XML, whatever its name says.',
    ],
    ['a header alone', Buffer.from(header), 'pets has no rows.'],
    ['an empty array', Buffer.from('[]'), 'pets has no rows.'],
    [
      'half a workbook',
      createWorkbook([['name', 'category']]).subarray(0, 300),
      'pets cannot be read.',
    ],
    [
      'a workbook without the columns',
      createWorkbook([['Rex', '7']]),
      'pets has no sheet with a name and a category column.',
    ],
    [
      'two cells far from each other',
      createWorkbookOf(
        '<row r="1"><c r="A1"><v>7</v></c></row><row r="90000"><c r="XFD90000"><v>7</v></c></row>',
      ),
      'pets has no sheet with a name and a category column.',
    ],
    [
      'a sheet that unzips to very much',
      createWorkbookOf(' '.repeat(70 * 1024 * 1024)),
      'pets is too large: a sheet takes more than 64 MiB.',
    ],
  ])('%s', async (_, bytes, message) => {
    expect((await explain(bytes))[0]).toBe(message);
  });
});
