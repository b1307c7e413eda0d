import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWaiting } from '../../src/terminal/progress.ts';
import { startHttpServer } from '../support/http-server.ts';
import { runInTerminal } from '../support/terminal-session.ts';
import { openTestTerminal } from './open-test-terminal.ts';

const erase = '\r\u001b[K';

type TestTerminal = ReturnType<typeof openTestTerminal>['terminal'];

describe('what comes next erases the line of progress', () => {
  it.each<[string, (terminal: TestTerminal) => void, string]>([
    ['a notice', (terminal) => terminal.notice('note'), 'note\n'],
    ['more progress', (terminal) => terminal.showStatus('2 pets'), '2 pets'],
    ['its end', (terminal) => terminal.showStatus(''), ''],
    ['a row on stdout', (terminal) => void terminal.write('row\n'), ''],
  ])('%s', (_, write, text) => {
    const { terminal, stderr } = openTestTerminal({ width: 80 });
    terminal.showStatus('1 pet');
    write(terminal);
    expect(stderr()).toBe(`1 pet${erase}${text}`);
  });

  it.each([
    ['a script', {}],
    ['--quiet', { width: 80, isQuiet: true }],
    ['TERM=dumb', { width: 80, variables: { TERM: 'dumb' } }],
  ])('which %s has not', (_, options) => {
    const { terminal, stderr } = openTestTerminal(options);
    terminal.showStatus('1 pet');
    terminal.showStatus('');
    expect(stderr()).toBe('');
  });
});

it('leaves the last column free: of a line that wraps, only the end would be erased', () => {
  const { terminal, stderr } = openTestTerminal({ width: 10 });
  terminal.showStatus('120 pets read');
  expect(stderr()).toBe('120 pets ');
});

describe('what is waited for is said after a second', () => {
  it('but never once the response is there', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { terminal, stderr } = openTestTerminal({ width: 80 });
    const waiting = openWaiting(terminal, 'Waiting …');
    waiting.start();
    waiting.end();
    vi.advanceTimersByTime(60_000);
    expect(stderr()).toBe('');
  });

  it.each([['xterm-256color'], ['dumb']])('TERM=%s', async (TERM) => {
    const { url } = await startHttpServer(async (_, response) => {
      await pause(2500);
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    const { host } = new URL(url);
    const variables = { PETSTORE_STAGING_URL: url, PETSTORE_API_KEY: 'any' };
    const terminal = await runInTerminal(`export TERM=${TERM}; petstore list`, { variables });
    await terminal.waitForText(`Waiting for ${host} …`);
    const shown = await terminal.waitForEnd();
    expect(shown).toContain('No pets found.\nexit 0');
    expect(shown.includes('Waiting')).toBe(TERM === 'dumb');
  });
});
