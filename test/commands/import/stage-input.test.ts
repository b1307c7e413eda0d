import { describe, expect, it } from 'vitest';
import { setUp } from './support.ts';

describe('a file with mistakes', () => {
  const plans: readonly (readonly [string, string])[] = [
    [',7,sold', 'column 1 (name): is required'],
    ['Rex,,sold', 'column 2 (categoryId): is required'],
    ['Rex,seven,sold', 'column 2 (categoryId): must be an int64 integer'],
    [
      'Rex,9223372036854775808,sold',
      'column 2 (categoryId): must be an int64 integer (the largest is 9223372036854775807)',
    ],
    ['Rex,7,gone', 'column 3 (status): must be one of available, pending, sold'],
    ['Rex,7', 'column 2: has 2 columns, the first line 3'],
    [
      'Re"x,7,sold',
      'column 1: holds a quote that is not doubled, or not closed; put the text in quotes and double those inside',
    ],
    [`${'x'.repeat(256)},7,sold`, 'column 1 (name): must be at most 255 characters'],
  ];
  const planted = Array.from({ length: 40 }, (_, index) => plans[index % plans.length] ?? ['', '']);
  const content = `name,categoryId,status\n${planted.map(([row]) => `Good,1,sold\n${row}\n`).join('')}`;
  const expected = planted.map(([, reason], index) => `line ${2 * index + 3}, ${reason}`);

  it('has all 40 reported at once with line, column and reason, and nothing is sent', async () => {
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
      message: 'line 3, column 1 (name): is required',
      line: 3,
      column: 1,
      field: 'name',
      reason: 'is required',
    });
    expect(lines[40]).toMatchObject({
      type: 'error',
      code: 'cli_invalid_input',
      outcome: 'not_sent',
    });
  });
});
