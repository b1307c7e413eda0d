import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatDate, formatRelativeTime } from '../../src/terminal/relative-time.ts';
import { openTerminal, wrapWords } from '../../src/terminal/terminal.ts';
import { openTestTerminal, type TestTerminalOptions } from './open-test-terminal.ts';

describe('somebody is asked only where somebody can respond', () => {
  it.each<[string, TestTerminalOptions, boolean]>([
    ['on a terminal', { width: 80 }, true],
    ['in a script', {}, false],
    ['with --no-input', { width: 80, mayAsk: false }, false],
    ['with CI', { width: 80, variables: { CI: 'true' } }, false],
    ['with CI=0', { width: 80, variables: { CI: '0' } }, true],
    ['with an empty CI', { width: 80, variables: { CI: '' } }, true],
  ])('%s', (_, options, isInteractive) => {
    expect(openTestTerminal(options).terminal.isInteractive).toBe(isInteractive);
  });
});

describe('color is for terminals, unless a variable or an option says otherwise', () => {
  it.each<[string, TestTerminalOptions, boolean]>([
    ['a terminal', { width: 80 }, true],
    ['a pipe', {}, false],
    ['NO_COLOR', { width: 80, variables: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', { width: 80, variables: { NO_COLOR: '' } }, true],
    ['FORCE_COLOR', { variables: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', { width: 80, variables: { FORCE_COLOR: '0' } }, false],
    ['TERM=dumb', { width: 80, variables: { TERM: 'dumb' } }, false],
    ['--no-color', { width: 80, mayColor: false, variables: { FORCE_COLOR: '1' } }, false],
  ])('%s', (_, options, hasColor) => {
    expect(openTestTerminal({ mayColor: true, ...options }).terminal.stdout.hasColor).toBe(
      hasColor,
    );
  });
});

it('takes a terminal that does not know its width for one of 80 columns', () => {
  expect(openTestTerminal({ width: 0 }).terminal.stdout.width).toBe(80);
});

describe('stderr has notices for people and warnings for all', () => {
  it.each<[string, TestTerminalOptions, string]>([
    ['a terminal', { width: 80 }, 'note\nwarning\n'],
    ['a terminal with json', { width: 80, format: 'json' }, 'note\nwarning\n'],
    ['a terminal with --quiet', { width: 80, isQuiet: true }, 'warning\n'],
    ['a script', {}, 'warning\n'],
    ['a script with csv', { format: 'csv' }, 'warning\n'],
    ['a script with json', { format: 'json' }, '{"code":"cli_more_pets","message":"warning"}\n'],
    [
      'a script with ndjson',
      { format: 'ndjson' },
      '{"code":"cli_more_pets","message":"warning"}\n',
    ],
  ])('%s', (_, options, text) => {
    const { terminal, stderr } = openTestTerminal(options);
    terminal.notice('note');
    terminal.warn('cli_more_pets', 'warning');
    expect(stderr()).toBe(text);
  });
});

it('waits for a slow reader', async () => {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const slow = new Writable({
    write(chunk, _, done) {
      taken.push(String(chunk));
      waiting.push(done);
    },
  });
  const { terminal } = openOver(slow);
  const written = terminal.write('data').then(() => taken.push('resolved'));
  await Promise.resolve();
  expect(taken).toEqual(['data']);
  for (const done of waiting) done();
  await written;
  expect(taken).toEqual(['data', 'resolved']);
});

it.each([
  ['EPIPE', { name: 'OutputClosedError' }],
  ['EOF', { name: 'OutputClosedError' }],
  ['ENOSPC', { code: 'cli_output' }],
])('%s of stdout', async (code, error) => {
  const broken = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
  await expect(openOver(broken).terminal.write('data')).rejects.toMatchObject(error);
});

it('breaks lines between words', () => {
  expect(wrapWords('one two three', 8)).toBe('one two\nthree');
});

describe('times are short', () => {
  const now = new Date('2026-11-25T12:00:00Z');
  it.each([
    ['2026-11-25T11:59:30Z', 'just now'],
    ['2026-11-25T11:59:00Z', '1 minute ago'],
    ['2026-11-25T10:00:00Z', '2 hours ago'],
    ['2026-11-20T10:00:00Z', '5 days ago'],
    ['2026-11-28T12:00:00Z', 'in 3 days'],
    // A minute after a key for three days was created.
    ['2026-11-28T11:59:00Z', 'in 3 days'],
    ['2026-11-25T12:00:20Z', 'in a moment'],
    ['2026-01-02T12:00:00Z', '2 Jan 2026'],
  ])('%s is %s', (time, text) => {
    expect(formatRelativeTime(new Date(time), now)).toBe(text);
  });

  it('has a date', () => {
    expect(formatDate(now)).toBe('25 Nov 2026');
  });

  it('has the date of this computer, where tomorrow may have begun', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TZ', 'Pacific/Auckland');
    expect(formatDate(now)).toBe('26 Nov 2026');
  });
});

function openOver(stdout: Writable) {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const streams = { stdin: process.stdin, stdout, stderr: silent };
  const options = { isQuiet: false, mayAsk: true, mayColor: true, variables: {} } as const;
  return { terminal: openTerminal(streams, { ...options, format: 'table' }) };
}
