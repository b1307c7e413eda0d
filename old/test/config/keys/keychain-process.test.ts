import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startKeychainProcess } from '../../../src/config/keys/keychain-process.ts';
import type { Variables } from '../../../src/config/variables.ts';

/** A child that runs this code in place of the keychain's. */
function start(code: string, variables: Variables = process.env) {
  const child = { file: process.execPath, args: ['-e', code] };
  const started = startKeychainProcess(child, variables);
  onTestFinished(started.end);
  return started;
}

const limits = (timeLimit = 10_000, signal = new AbortController().signal) => ({
  timeLimit,
  signal,
});
const forever = 'setInterval(() => {}, 60_000);';

describe('what came of a request to the keychain process', () => {
  it.each([
    [
      'its line, though it does not end',
      `${forever} process.stdin.on('data', (request) => console.log('for ' + request))`,
      { line: 'for me\n' },
    ],
    [
      'a line that arrives in pieces',
      `process.stdout.write('\\nfor ');
       process.stdin.on('data', (request) => console.log(String(request)))`,
      { line: '\nfor me\n' },
    ],
    ['a line without its end', `process.stdout.write('for you')`, { line: 'for you' }],
    [
      'a line, whatever it says besides',
      `require('node:fs').writeSync(2, 'x'.repeat(1_000_000)); console.log('for you')`,
      { line: 'for you\n' },
    ],
    ['nothing', '', { failure: 'the keychain process sent no result' }],
    ['an exit code', 'process.exit(7)', { failure: 'the keychain process failed (7)' }],
    [
      'a signal',
      `process.kill(process.pid, 'SIGTERM'); ${forever}`,
      { failure: 'the keychain process ended with SIGTERM' },
    ],
  ])('%s', async (_, code, response) => {
    expect(await start(code).ask('me', limits())).toEqual(response);
  });

  it('a line of one that does not read its request', async () => {
    const code = `require('node:fs').closeSync(0); console.log('no')`;
    expect(await start(code).ask('x'.repeat(1_000_000), limits())).toEqual({ line: 'no\n' });
  });

  it('that its time is over', async () => {
    expect(await start(forever).ask('', limits(1))).toEqual({ timedOut: true });
  });

  it('that it was stopped, before it was asked or since, and nothing listens on', async () => {
    const stopped = { failure: 'the keychain process was stopped' };
    const stop = new AbortController();
    const asking = start(forever).ask('', limits(10_000, stop.signal));
    stop.abort();
    expect(await asking).toEqual(stopped);
    expect(await start(forever).ask('', limits(10_000, stop.signal))).toEqual(stopped);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it('that it was ended before', async () => {
    const started = start(forever);
    started.end();
    expect(await started.ask('', limits())).toEqual({
      failure: 'the keychain process was ended',
    });
  });

  it('that it cannot be started', async () => {
    const started = startKeychainProcess({ file: '/nowhere/node', args: [] }, {});
    expect(await started.ask('', limits())).toEqual({
      failure: 'the keychain process failed (ENOENT)',
    });
  });
});

it('a keychain process waits until it is asked', async () => {
  const started = start(forever);
  expect(started.isWaiting()).toBe(true);
  const asking = started.ask('', limits(1));
  expect(started.isWaiting()).toBe(false);
  await asking;
  expect(started.isWaiting()).toBe(false);
});

describe.skipIf(process.platform === 'win32')('the variables of a keychain process', () => {
  const code = 'console.log(JSON.stringify(process.env))';
  const given = {
    ...{ PETSTORE_API_KEY: 'k', petstore_env: 'x', NODE_OPTIONS: '', LC_ALL: 'de_DE.UTF-8' },
    ...{ MY_PETSTORE_X: '1', MY_NODE_X: '1', DISPLAYS: ':1', MY_DISPLAY: ':2', DISPLAY: ':0' },
  };
  const passed = { MY_PETSTORE_X: '1', MY_NODE_X: '1', DISPLAYS: ':1', MY_DISPLAY: ':2' };

  it.each([
    [{}, {}],
    [{ DBUS_SESSION_BUS_ADDRESS: 'unix:x' }, { DBUS_SESSION_BUS_ADDRESS: 'unix:x', DISPLAY: ':0' }],
  ])('are not ours nor those of Node, with %j', async (session, also) => {
    const response = await start(code, { ...given, ...session }).ask('', limits());
    const env = { ...passed, ...also, LC_ALL: 'C' };
    expect('line' in response && JSON.parse(response.line)).toEqual(env);
  });
});
