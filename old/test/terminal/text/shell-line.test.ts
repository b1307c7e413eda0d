import { expect, it } from 'vitest';
import { formatOption, formatShellLine } from '../../../src/terminal/text/shell-line.ts';

it.each([
  ['linux', "petstore add 'Mrs Whiskers'"],
  ['win32', 'petstore add "Mrs Whiskers"'],
] as const)('a line for the shell of %s has each word as its own', (platform, line) => {
  expect(formatShellLine(['petstore', 'add', 'Mrs Whiskers'], platform)).toBe(line);
});

it.each([
  ['Rex', ['--name', 'Rex']],
  ['Rex-', ['--name', 'Rex-']],
  ['-Rex', ['--name=-Rex']],
])('the value %s of an option is not read as an option', (value, words) => {
  expect(formatOption('--name', value)).toEqual(words);
});
