import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll, readProblems } from '../support.ts';

describe('a CSV file names the line that an editor shows', () => {
  const end = fc.constantFrom('\n', '\r\n', '\r', '\n\r\n', '\r\n\n', '\n\r');
  const start = fc.constantFrom('', '\n', '\r\n', '\r', '\n\n\r\n');
  const mark = fc.constantFrom('', '\uFEFF');
  /** Longer than what is read at once, or the rest would not come in pieces that end anywhere. */
  const filler = fc.constantFrom('', 'Rex,4\n'.repeat(700));
  const findLine = (before: string) => before.split(/\r\n|\r|\n/).length;

  it('for every row, whatever line ends stand around it and in it', async () => {
    const empty = fc.constantFrom('', '', ' ', ' , ', '""', '"\r\n"');
    const row = fc.constantFrom('Rex,4', 'Rex,x', 'Rex', 'Re"x,4', '"Rex"x,4', '"a\rb\n","4\r\n"');
    const lines = fc.array(fc.tuple(fc.oneof(row, empty), end));
    await fc.assert(
      fc.asyncProperty(fc.tuple(mark, start, end, filler), lines, async (parts, lines) => {
        const [mark, start, headerEnd, filler] = parts;
        const header = `${mark}${start}name,categoryId${headerEnd}`;
        let text = header + filler;
        const expected: number[] = [];
        for (const [row, end] of lines) {
          if (/\w/.test(row)) expected.push(findLine(text));
          text += row + end;
        }
        const { rows } = await readAll(text, 'csv');
        const found = rows.map((row) => ('line' in row ? row.line : row.problems[0]?.line));
        expect(found.slice(filler.length / 'Rex,4\n'.length)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['Rex,4', '1:1: the first line must name the columns'],
    ['"name\r\n",name,categoryId', '1:2 name: is given twice'],
    ['Name,Price', '1:2 Price: is not a pet column'],
  ])('for the columns %j', async (header, problem) => {
    await fc.assert(
      fc.asyncProperty(mark, start, end, async (mark, start, end) => {
        const [found] = await readProblems(`${mark}${start}${header}${end}Mia,4`, 'csv');
        const line = findLine(start);
        const shown = line === 1 ? 'the first line' : `line ${line}`;
        expect(found).toContain(
          problem.replace('1', String(line)).replace('the first line', shown),
        );
      }),
    );
  });

  it('for a quote that is never closed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(mark, start, end, filler), end, async (parts, end) => {
        const [mark, start, headerEnd, filler] = parts;
        const before = `${mark}${start}name,categoryId${headerEnd}${filler}Mia,2${end}`;
        expect(await readProblems(`${before}"Rex,1${end}Tom,3${end}`, 'csv')).toEqual([
          `${findLine(before)}:1: a quote opened from here on is never closed`,
        ]);
      }),
    );
  });

  it('gives every row its line, after quoted newlines and blank lines too', async () => {
    const text = 'name,categoryId\n"a\r\nb",1\n\nRex,x\n"c\nd\ne",2\nMia,\n"f\rg",3\nTom,\n';
    expect(await readProblems(text, 'csv')).toEqual([
      '2:1 name: "a\\r\\nb" holds a line break',
      '5:2 categoryId: "x" is not a category number: write a whole number such as 7',
      '6:1 name: "c\\nd\\ne" holds a line break',
      '9:2 categoryId: is missing',
      '10:1 name: "f\\rg" holds a line break',
      '12:2 categoryId: is missing',
    ]);
  });
});
