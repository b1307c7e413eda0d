import { describe, expect, it } from 'vitest';
import { type Shell, shellOf } from '../src/shell.ts';
import { formatShellLine } from '../src/terminal/text/shell-line.ts';

/** A word, as a POSIX shell and as PowerShell take it. */
const words: readonly (readonly [word: string, posix: string, powershell: string])[] = [
  ['Rex', 'Rex', 'Rex'],
  ['--category=7', '--category=7', '--category=7'],
  ['sqlite:./pets.db', 'sqlite:./pets.db', 'sqlite:./pets.db'],
  ['C:\\Users\\ann\\pets.csv', "'C:\\Users\\ann\\pets.csv'", 'C:\\Users\\ann\\pets.csv'],
  ['C:\\Ann Lee\\pets.csv', "'C:\\Ann Lee\\pets.csv'", '"C:\\Ann Lee\\pets.csv"'],
  ['', "''", '""'],
  ['Mrs Whiskers', "'Mrs Whiskers'", '"Mrs Whiskers"'],
  ["O'Neill", "'O'\\''Neill'", '"O\'Neill"'],
  ['a,b', 'a,b', '"a,b"'],
  ['@home', '@home', '"@home"'],
  ['50%', '50%', "'50%'"],
  ['--name=-x.y', '--name=-x.y', '"--name=-x.y"'],
  ['-x.y', '-x.y', '"-x.y"'],
  ['$env:KEY', "'$env:KEY'", "'$env:KEY'"],
  ['$(rm -r .)', "'$(rm -r .)'", "'$(rm -r .)'"],
  ['a`b', "'a`b'", "'a`b'"],
  ["$5 O'Neill", "'$5 O'\\''Neill'", "'$5 O''Neill'"],
  ['$ ‘a’ ‚b‛', "'$ ‘a’ ‚b‛'", "'$ ‘‘a’’ ‚‚b‛‛'"],
  ['“Rex”', "'“Rex”'", "'“Rex”'"],
  ['a;b|c&d', "'a;b|c&d'", '"a;b|c&d"'],
  ['{a}(b)', "'{a}(b)'", '"{a}(b)"'],
  ['Zoë 日本', "'Zoë 日本'", '"Zoë 日本"'],
];

const posix = shellOf('linux');
const powershell = shellOf('win32');

describe('a word of a line to paste', () => {
  it.each(words)(
    '%j is %s in a POSIX shell and %s in PowerShell',
    (word, inPosix, inPowershell) => {
      expect([word].map(posix.quote)).toEqual([inPosix]);
      expect([word].map(powershell.quote)).toEqual([inPowershell]);
    },
  );

  it('stands in its place in the line', () => {
    const line = ['petstore', 'add', 'Mrs Whiskers', '--category', '7'];
    expect(formatShellLine(line, 'win32')).toBe('petstore add "Mrs Whiskers" --category 7');
    expect(formatShellLine(line, 'darwin')).toBe("petstore add 'Mrs Whiskers' --category 7");
  });
});

const lines: readonly (readonly [string, (shell: Shell) => string, string, string])[] = [
  [
    'sets a variable',
    ({ setVariable }) => setVariable('NO_PROXY', 'pets.example.com'),
    'export NO_PROXY=pets.example.com',
    '$env:NO_PROXY = "pets.example.com"',
  ],
  [
    'leaves room for a value',
    ({ setVariable }) => setVariable('PETSTORE_API_KEY', '…'),
    'export PETSTORE_API_KEY=…',
    '$env:PETSTORE_API_KEY = "…"',
  ],
  [
    'copies a variable',
    ({ copyVariable }) => copyVariable('HTTPS_PROXY', 'HTTP_PROXY'),
    'export HTTPS_PROXY="$HTTP_PROXY"',
    '$env:HTTPS_PROXY = $env:HTTP_PROXY',
  ],
  [
    'removes a variable',
    ({ unsetVariable }) => unsetVariable('HTTPS_PROXY'),
    'unset HTTPS_PROXY',
    'Remove-Item Env:HTTPS_PROXY',
  ],
  [
    'moves a file',
    ({ moveFile }) => moveFile('it[1].db', 'it[1].db.damaged'),
    "mv 'it[1].db' 'it[1].db.damaged'",
    'Move-Item -LiteralPath "it[1].db" "it[1].db.damaged"',
  ],
  [
    'gives a command a file',
    ({ feedFile }) => feedFile('key.txt', 'petstore auth login --key-stdin'),
    'petstore auth login --key-stdin < key.txt',
    'Get-Content key.txt | petstore auth login --key-stdin',
  ],
];

describe('a line to paste', () => {
  it.each(lines)('%s', (_, write, inPosix, inPowershell) => {
    expect(write(posix)).toBe(inPosix);
    expect(write(powershell)).toBe(inPowershell);
  });
});
