import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommandLine, formatOption } from '../../src/terminal/command-line.ts';

describe('a line reads well', () => {
  it.each([
    [['petstore', 'add', 'Mrs Whiskers'], 'petstore add "Mrs Whiskers"'],
    [['petstore', 'add', "O'Malley"], 'petstore add "O\'Malley"'],
    [['petstore', 'add', 'a$b'], "petstore add 'a$b'"],
    [['petstore', 'add', ''], 'petstore add ""'],
    [['petstore', 'list', ...formatOption('--text', '-x')], 'petstore list --text=-x'],
  ])('%j', (words, line) => {
    expect(formatCommandLine(words, 'linux')).toBe(line);
  });

  it.each([
    [['petstore', 'add', 'Mrs Whiskers'], "petstore add 'Mrs Whiskers'"],
    [['petstore', 'add', "O'Malley"], "petstore add 'O''Malley'"],
    [['petstore', '--fields', 'id,name'], "petstore --fields 'id,name'"],
    [['petstore', 'import', String.raw`C:\pets.csv`], String.raw`petstore import C:\pets.csv`],
  ])('%j in PowerShell', (words, line) => {
    expect(formatCommandLine(words, 'win32')).toBe(line);
  });
});

it('is read by a shell as exactly these words', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = formatCommandLine(['printf', '%s\\0', ...words], 'linux');
      expect(execFileSync('sh', ['-c', line]).toString()).toBe(
        words.map((text) => `${text}\0`).join(''),
      );
    }),
    { numRuns: 30 },
  );
});
