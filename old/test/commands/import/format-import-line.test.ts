import { describe, expect, it } from 'vitest';
import { rerunWords } from '../../../src/commands/import/format-import-line.ts';
import { describeSubject } from '../../import/staged.ts';

describe('the line that repeats an import', () => {
  it('takes a file whose name starts with a hyphen for a file', () => {
    const plan = {
      options: { concurrency: 1 },
      name: '-x.csv',
      file: '-x.csv',
      subject: describeSubject('abc', 3),
      source: { format: 'csv', header: '' },
    } as const;
    expect(rerunWords(plan, 'resume')).toEqual(['petstore', 'import', './-x.csv', '--resume']);
  });
});
