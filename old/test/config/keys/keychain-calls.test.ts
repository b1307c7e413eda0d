import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createKeychain,
  explainMissingLibrary,
  explainRefusal,
  explainTimeout,
  type KeychainInput,
} from '../../../src/config/keys/keychain.ts';
import { startKeychainProcess } from '../../../src/config/keys/keychain-process.ts';

/** A child that runs this code in place of the keychain's. */
const run = (code: string) => ({ file: process.execPath, args: ['-e', code] });

const open = (code: string, input: Partial<KeychainInput> = {}) =>
  createKeychain({
    ...{ child: run(code), variables: {}, canAsk: () => false, onWait: () => {} },
    ...{ signal: new AbortController().signal, ...input },
  });

/** Responds with the request that it reads. */
const echo = `process.stdin.on('data', (text) => console.log(JSON.stringify({ value: String(text) })))`;

describe('what the keychain is asked', () => {
  it('is one call, for an account of petstore', async () => {
    const text = await open(echo).get('staging@https://h');
    expect(JSON.parse(text ?? '')).toEqual({
      ...{ call: 'get', account: 'staging@https://h', service: 'petstore-cli' },
      timeLimit: expect.any(Number),
    });
  });

  it.each([
    [{}, true, 3_000],
    [{ DISPLAY: ':0' }, false, 3_000],
    [{ DISPLAY: ':0' }, true, 60_000],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, true, 60_000],
  ])('has minutes only where a person can unlock it: %j, %s', async (variables, canAsk, limit) => {
    const keychain = open(echo, { variables, canAsk: () => canAsk });
    const { timeLimit } = JSON.parse((await keychain.get('a')) ?? '');
    expect(timeLimit).toBeGreaterThan(limit - 3_000);
    expect(timeLimit).toBeLessThanOrEqual(limit);
  });
});

describe('a child that was started ahead', () => {
  const start = (response: string) => {
    const started = startKeychainProcess(run(`console.log('${response}')`), {});
    onTestFinished(started.end);
    return started;
  };

  it('is asked for the first key that is read, and once', async () => {
    const started = start('{"value":"ahead"}');
    const keychain = open(`console.log('{"value":"later"}')`, { started });
    expect([await keychain.get('a'), await keychain.get('a')]).toEqual(['ahead', 'later']);
  });

  it('is not asked to change anything', async () => {
    const started = start('{"value":false}');
    expect(await open(`console.log('{"value":true}')`, { started }).remove('a')).toBe(true);
  });
});

describe('why a keychain cannot be used', () => {
  it.each([
    'Cannot create an item in a locked collection',
    'The keyring has a lock',
    'org.freedesktop.Secret.Error.IsLocked',
    'User interaction is not allowed.',
  ])('it is locked: %s', (reason) => {
    expect(explainRefusal(reason)).toMatchObject({
      ...{ code: 'cli_keychain_locked', message: 'The OS keychain is locked' },
      details: [
        `the keychain says: ${reason}`,
        'unlock it (log in to the desktop, or open its password program) and run this again',
      ],
    });
  });

  it.each(['clocked', 'blocks', 'no such service'])('it does not respond: %s', (reason) => {
    expect(explainRefusal(reason)).toMatchObject({
      ...{ code: 'cli_keychain_unavailable', details: [`the system says: ${reason}`] },
      message: 'No keychain service responds on this machine',
    });
  });

  it.each([
    [
      'linux',
      'libsecret is missing',
      ['sudo apt install libsecret-1-0', 'sudo dnf install libsecret'],
    ],
    ['darwin', 'does not load', []],
  ] as const)('on %s its library %s', (platform, problem, next) => {
    expect(explainMissingLibrary('no file', platform)).toMatchObject({
      ...{ code: 'cli_keychain_library_missing', details: ['the system says: no file'], next },
      message: `The keychain library ${problem} on this machine`,
    });
  });

  it('it took too long', () => {
    expect(explainTimeout(3_000)).toMatchObject({
      ...{ code: 'cli_keychain_timeout', message: 'The OS keychain did not respond within 3 s' },
      details: ['it may hang, or wait for an unlock dialog that nobody sees'],
    });
  });
});
