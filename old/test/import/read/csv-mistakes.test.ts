import { describe, expect, it } from 'vitest';
import { readProblems } from '../support.ts';

describe('reading CSV', () => {
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
});
