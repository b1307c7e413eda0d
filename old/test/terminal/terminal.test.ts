import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminal, type TerminalOptions } from '../../src/terminal/terminal.ts';
import { readWritten } from '../support/read-written.ts';

function open(options: Partial<TerminalOptions> = {}) {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const terminal = createTerminal({
    stdin,
    stdout,
    stderr,
    secrets: [],
    format: 'table',
    color: 'auto',
    columns: undefined,
    isQuiet: false,
    verbosity: 0,
    isUnattended: false,
    isAccessible: false,
    ...options,
  });
  return { terminal, stdout, stderr, errorText: () => readWritten(stderr) };
}

describe('the terminal', () => {
  it('follows a resize', () => {
    const { terminal, stdout } = open();
    expect(terminal.stdout.columns()).toBe(80);
    stdout.columns = 40;
    expect(terminal.stdout.columns()).toBe(40);
  });

  it('has 80 columns where the terminal does not know and says 0', () => {
    const { terminal, stdout } = open();
    stdout.columns = 0;
    expect(terminal.stdout.columns()).toBe(80);
  });

  it('breaks a message at words on a terminal, and nowhere else', () => {
    const narrow = { columns: 20 };
    const { terminal, errorText } = open(narrow);
    terminal.notice('Added pet 5012 to staging.');
    terminal.warn('日本語 日本語 日本語 日本語');
    terminal.trace('> GET https://pets.test/v1/pets');
    expect(errorText()).toBe(
      'Added pet 5012 to\nstaging.\n日本語 日本語 日本語\n日本語\n> GET https://pets.test/v1/pets\n',
    );
    const pipe = new PassThrough();
    open({ ...narrow, stderr: pipe }).terminal.notice('Added pet 5012 to staging.');
    expect(readWritten(pipe)).toBe('Added pet 5012 to staging.\n');
  });

  it.each([
    [{}, true],
    [{ isUnattended: true }, false],
    [{ stdin: new PassThrough() }, false],
    [{ stderr: new PassThrough() }, false],
    [{ stdout: new PassThrough() }, true],
  ])('may ask where stdin and stderr are terminals and nobody forbade it', (options, canAsk) => {
    expect(open(options).terminal.canAsk).toBe(canAsk);
  });

  it('gives people a sentence and scripts a JSON line', () => {
    const people = open();
    people.terminal.notice('Done.', { shown: 1 });
    expect(people.errorText()).toBe('Done.\n');
    const scripts = open({ format: 'csv' });
    scripts.terminal.notice('Done.', { shown: 1 });
    scripts.terminal.warn('Careful.');
    expect(scripts.errorText()).toBe(
      '{"type":"notice","message":"Done.","shown":1}\n{"type":"warning","message":"Careful."}\n',
    );
  });

  it('leaves notices out with --quiet, warnings not', () => {
    const { terminal, errorText } = open({ isQuiet: true });
    terminal.notice('Done.');
    terminal.warn('Careful.');
    expect(errorText()).toBe('Careful.\n');
  });

  it('redacts a secret on stdout and stderr, but not where it is printed on purpose', async () => {
    const { terminal, stdout, errorText } = open();
    terminal.addSecret('canary-key');
    await terminal.stdout.write('a canary-key\n');
    await terminal.stdout.writeSecret('b canary-key\n');
    terminal.writeError('c canary-key\n');
    expect(readWritten(stdout)).toBe('a [redacted]\nb canary-key\n');
    expect(errorText()).toBe('c [redacted]\n');
  });

  it('goes on when stderr is gone', async () => {
    const { terminal, stderr } = open();
    stderr.destroy();
    terminal.warn('Nobody reads this.');
    await terminal.stdout.write('data\n');
  });
});
