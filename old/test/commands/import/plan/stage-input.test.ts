import { describe, expect, it } from 'vitest';
import { setUp } from '../support.ts';

describe('a file with mistakes', () => {
  const plans: readonly (readonly [string, string])[] = [
    [',7,sold', 'column 1 (name): is missing'],
    ['Rex,,sold', 'column 2 (categoryId): is missing'],
    [
      'Rex,seven,sold',
      'column 2 (categoryId): "seven" is not a category number: write a whole number such as 7',
    ],
    [
      'Rex,9223372036854775808,sold',
      'column 2 (categoryId): "9223372036854775808" is not a category number (the largest is 9223372036854775807)',
    ],
    ['Rex,7,gone', 'column 3 (status): "gone" is not a status: write available, pending or sold'],
    ['Rex,7', 'column 2: has 2 values, but the first line has 3 columns'],
    [
      'Re"x,7,sold',
      'column 1: holds a quote that is not doubled, or not closed; put the text in quotes and double those inside',
    ],
    [
      `${'x'.repeat(256)},7,sold`,
      `column 1 (name): "${'x'.repeat(39)}…" is longer than 255 characters`,
    ],
  ];
  const planted = Array.from({ length: 40 }, (_, index) => plans[index % plans.length] ?? ['', '']);
  const content = `name,categoryId,status\n${planted.map(([row]) => `Good,1,sold\n${row}\n`).join('')}`;
  const expected = plans.map(([, reason], first) => {
    const [line, ...others] = [0, 1, 2, 3, 4].map((time) => 2 * (first + time * plans.length) + 3);
    return `line ${line}, ${reason} (also in lines ${others.join(', ')})`;
  });

  it('has all 40 reported at once, a line for each cause with all its rows, and nothing is sent', async () => {
    const { run, list, file } = await setUp(content);
    expect(await run('import FILE')).toEqual({
      stdout: '',
      stderr: `Error: ${file} has 40 mistakes; nothing was sent\n${expected.map((line) => `  ${line}\n`).join('')}`,
      exitCode: 2,
    });
    expect(await list()).toEqual([]);
  });

  it('tells scripts a line for each', async () => {
    const { run } = await setUp(content);
    const { stderr, exitCode } = await run('import FILE --json');
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exitCode).toBe(2);
    expect(lines).toHaveLength(41);
    expect(lines[0]).toEqual({
      type: 'problem',
      message: 'line 3, column 1 (name): is missing',
      line: 3,
      column: 1,
      field: 'name',
      reason: 'is missing',
    });
    expect(lines[40]).toMatchObject({
      type: 'error',
      code: 'cli_invalid_input',
      outcome: 'not_sent',
      details: [...expected.slice(0, 5), 'and 15 more; the first 25 are shown'],
    });
  });

  it('names the lines of one cause by their ranges', async () => {
    const { run, file } = await setUp('name,category\nA,x\nB,x\nC,x\nD,x\nE,1\nF,x\n');
    expect((await run('import FILE')).stderr).toBe(
      `Error: ${file} has 5 mistakes; nothing was sent\n  line 2, column 2 (categoryId): "x" is not a category number: write a whole number such as 7 (also in lines 3 to 5, 7)\n`,
    );
  });
});
