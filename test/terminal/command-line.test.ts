import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommandLine } from '../../src/terminal/command-line.ts';
import { itOnPosix } from '../support/system.ts';

describe('a line reads well in sh', () => {
  it.each([
    [['petstore', 'add', 'Mrs Whiskers'], 'petstore add "Mrs Whiskers"'],
    [['petstore', 'add', 'Zoë'], 'petstore add Zoë'],
    [['petstore', 'add', "O'Malley"], 'petstore add "O\'Malley"'],
    [['petstore', 'add', 'a$b'], "petstore add 'a$b'"],
    [['petstore', 'add', ''], 'petstore add ""'],
  ])('%j', (words, line) => {
    expect(formatCommandLine(words, 'linux')).toBe(line);
  });
});

describe('a line means the same in cmd.exe and PowerShell, or is not offered', () => {
  it.each([
    ['Mrs Whiskers', '"Mrs Whiskers"'],
    ['Zoë', 'Zoë'],
    ["O'Malley", '"O\'Malley"'],
    ['id,name', '"id,name"'],
    ['7', '7'],
    ['007', '"007"'],
    ['1kb', '"1kb"'],
    ['-1.5', '"-1.5"'],
    ['--', '"--"'],
    ['-file.csv', '"-file.csv"'],
    ['@home', '"@home"'],
    ['Tom & Jerry', '"Tom & Jerry"'],
    ['a;b', '"a;b"'],
    [String.raw`C:\pets.csv`, String.raw`C:\pets.csv`],
    ['--url=http://127.0.0.1:1/v1', '"--url=http://127.0.0.1:1/v1"'],
    ['100%', undefined],
    ['say "hi"', undefined],
    ['a$b', undefined],
    ['a`b', undefined],
    ['“Rex”', undefined],
    ['two\nlines', undefined],
    ['', undefined],
    ['my folder\\', undefined],
  ])('%s', (word, quoted) => {
    const line = quoted === undefined ? undefined : `petstore add ${quoted}`;
    expect(formatCommandLine(['petstore', 'add', word], 'win32')).toBe(line);
  });
});

itOnPosix('is read by sh as exactly these words', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = formatCommandLine(['printf', '%s\\0', ...words], 'linux') ?? '';
      expect(execFileSync('sh', ['-c', line]).toString()).toBe(
        words.map((text) => `${text}\0`).join(''),
      );
    }),
    { numRuns: 30 },
  );
});
