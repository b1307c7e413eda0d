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
        'line 2, column 2 (category): "dog" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'half a category',
      `${header}Rex,7.5,\n`,
      [
        'line 2, column 2 (category): "7.5" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'seven thousand, or seven',
      `${header}Rex,7.000,\n`,
      [
        'line 2, column 2 (category): "7.000" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'no category',
      `${header}Rex,,sold\n`,
      ['line 2, column 2 (category): is empty: write a whole number such as 7'],
    ],
    [
      'a category beyond int64',
      `${header}Rex,9223372036854775808,\n`,
      [
        'line 2, column 2 (category): "9223372036854775808" is not a category number (the largest is 9223372036854775807)',
      ],
    ],
    [
      'a category that a spreadsheet shortened',
      `${header}Rex,1.23E+15,\n`,
      [
        'line 2, column 2 (category): "1.23E+15" is not a category number: the spreadsheet has shortened it; give the column the format Text and type it again',
      ],
    ],
    ['no name', `${header},7,\n`, ['line 2, column 1 (name): is empty: write a name']],
    ['a blank name', `${header}" ",7,\n`, ['line 2, column 1 (name): is empty: write a name']],
    [
      'a long name',
      `${header}${'Rex '.repeat(70)},7,\n`,
      [
        'line 2, column 1 (name): "Rex Rex Rex Rex Rex Rex Rex Rex Rex Rex…" is longer than 255 characters',
      ],
    ],
    [
      'a control character',
      `${header}R\u0007ex,7,\n`,
      [
        'line 2, column 1 (name): "R\\u0007ex" contains a character that cannot be seen: type it again',
      ],
    ],
    [
      'a lost letter',
      `${header}J\uFFFDrgen,7,\n`,
      [
        'line 2, column 1 (name): contains U+FFFD (\uFFFD), which stands for a letter that was lost because it was not in UTF-8: type it again',
      ],
    ],
    [
      'a status',
      `${header}Rex,7,gone\n`,
      ['line 2, column 3 (status): "gone" is not a status: write available, pending, or sold'],
    ],
    [
      'a line break in a name',
      `${header}"Rex\r\nthe dog",7,\nMia,x,\n`,
      [
        'line 2: "Rex\\r\\nthe dog" contains a line break: remove it, or the quotation mark in front of it',
        'line 4, column 2 (category): "x" is not a category number: write a whole number such as 7',
      ],
    ],
    [
      'a lone quotation mark at the start',
      `${header}"Rex,7,\nMia,8,\n`,
      [
        'line 2: has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice',
      ],
    ],
    [
      'a lone quotation mark that another closes',
      `${header}"Rex,7,\n"Mia,8,\n`,
      [
        'line 2: has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice (also in line 3)',
      ],
    ],
    [
      'text after a quotation mark',
      `${header}"Rex" the dog,7,\n`,
      [
        'line 2: has a lone quotation mark: remove it, or put the text in quotation marks and write those inside it twice',
      ],
    ],
    [
      'a separator in a name',
      `${header}Rex, the dog,7,sold\n`,
      [
        'line 2: has more values than line 1 has columns: put text that contains a separator in quotation marks',
      ],
    ],
    [
      'a value in a column without a name',
      'name,,category\nRex,brown,7\n',
      ['line 2: has "brown" in a column without a name: name it in line 1, or remove it'],
    ],
    [
      'a column that pets do not have',
      'name,category,color\nRex,7,brown\n',
      [
        'line 1, column 3 (color): is not a column of a pet: remove it, or rename it to name, category, or status',
      ],
    ],
    [
      'a column given twice',
      'name,category,Category ID\nRex,7,8\n',
      ['line 1, column 3 (Category ID): is given twice'],
    ],
    [
      'no column for the category',
      'name,status\nRex,sold\n',
      ['line 1: has no category column: add it'],
    ],
    [
      'no header',
      'Rex,7,sold\nMia,8,sold\n',
      ['line 1: must name the columns, such as name,category,status; it is: "Rex,7,sold"'],
    ],
    [
      'a value of JSON',
      '[{"name":7,"categoryId":7}]',
      ['line 1, column 2 (name): 7 is not a name: write it as text'],
    ],
    [
      'an unknown member',
      '\n  {"name":"Rex","categoryId":7,"color":"brown"}',
      [
        'line 2, column 30 (color): is not a field of a pet: remove it, or name it name, categoryId, or status',
      ],
    ],
    [
      'a member given twice',
      '{"name":"Rex","name":"Max","categoryId":7}',
      ['line 1 (name): is given twice'],
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
      ['line 2: the file ends in the middle of its array: get a complete copy'],
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
      [undefined, failed, number('7.5')],
      [undefined, 'Rex', number('1234567890123456789')],
    ];
    expect((await explain(createWorkbook(sheet))).slice(1)).toEqual([
      'line 2, column B (Name): 2023-03-15 is a date: give the column the format Text and type it again',
      'line 3, column B (Name): is empty: write a name',
      'line 3, column C (Category): "7.5" is not a category number: write a whole number such as 7',
      'line 4, column C (Category): "1.2345678901234568e+18" is not a category number: the spreadsheet has shortened it; give the column the format Text and type it again',
    ]);
  });
});

it('says each cause once, with all its lines, and 50 causes at most', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `Rex,x${index},\n`).join('');
  const [message, first, ...others] = await explain(`${header}${',7,\n'.repeat(9)}${rows}`);
  expect(message).toBe('pets has 69 mistakes; nothing was sent.');
  expect(first).toBe(
    'line 2, column 1 (name): is empty: write a name (also in lines 3, 4, 5, 6, 7 and 3 more)',
  );
  expect(others).toHaveLength(50);
  expect(others.at(-1)).toBe('and 11 more');
});

describe('what cannot be imported is refused in words', () => {
  it.each([
    [
      'an old workbook',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      'pets is neither a workbook (.xlsx) nor text.',
    ],
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
    ['a header alone', Buffer.from(header), 'pets has no rows.'],
    ['an empty array', Buffer.from('[]'), 'pets has no rows.'],
    [
      'half a workbook',
      createWorkbook([['name', 'category']]).subarray(0, 300),
      'pets is not a workbook that can be read.',
    ],
    [
      'a workbook without the columns',
      createWorkbook([['Rex', '7']]),
      'pets has no sheet with columns for pets.',
    ],
    [
      'two cells far from each other',
      createWorkbookOf(
        '<row r="1"><c r="A1"><v>7</v></c></row><row r="90000"><c r="XFD90000"><v>7</v></c></row>',
      ),
      'pets is too large: a sheet reaches from A1 to XFD90000.',
    ],
    [
      'too many rows',
      createWorkbookOf('<row r="100002"><c r="A100002"><v>7</v></c></row>'),
      'pets is too large: a sheet has 100,002 rows.',
    ],
    [
      'a row that no sheet has',
      createWorkbookOf('<row r="999999999"></row>'),
      'pets is too large: a sheet has 999,999,999 rows.',
    ],
    [
      'a sheet that unzips to very much',
      createWorkbookOf(' '.repeat(70 * 1024 * 1024)),
      'pets is too large: a sheet contains more than 64 MiB of text.',
    ],
  ])('%s', async (_, bytes, message) => {
    expect((await explain(bytes))[0]).toBe(message);
  });
});
