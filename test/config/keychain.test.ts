import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeUnlock, explainRefusal, openKeychain } from '../../src/config/keychain.ts';
import type { Variables } from '../../src/config/variables.ts';
import { createKeyring, type Keyring, openKeyring, openSession } from '../support/keyring.ts';
import { describeOnLinux } from '../support/system.ts';

const ACCOUNT = 'staging@https://pets.test';

function open(variables: Variables, isInteractive = false, onWait = () => {}) {
  const { signal } = new AbortController();
  return openKeychain({
    variables: { PATH: process.env.PATH, ...variables },
    isInteractive,
    onWait,
    signal,
  });
}

/** The processes that this one started to ask a keychain, and that still run. */
async function listKeychainChildren(): Promise<string[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const commands = await Promise.all(
    children
      .trim()
      .split(' ')
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((command) => command.includes('keychain-child'));
}

describeOnLinux('a real keyring', () => {
  let keyring: Keyring;
  beforeAll(async () => {
    keyring = await openKeyring();
  });
  afterAll(() => keyring.close());

  it('returns what it was given, under the account, and nothing once it is removed', async () => {
    const keychain = open(keyring.variables);
    await keychain.set(ACCOUNT, 'a-key-of-staging');
    expect(await keyring.lookUp(ACCOUNT)).toBe('a-key-of-staging');
    expect(await keychain.get(ACCOUNT)).toBe('a-key-of-staging');
    expect(await keychain.remove(ACCOUNT)).toBe(true);
    expect(await keychain.get(ACCOUNT)).toBeUndefined();
  });

  it('that has responded leaves no timer, which would say that it is waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await open({ ...keyring.variables, DISPLAY: ':0' }, true).get(ACCOUNT);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that does not respond ends the wait after three seconds, and is not asked again', async () => {
    const keychain = open(keyring.variables);
    keyring.freeze();
    onTestFinished(keyring.resume);
    // The limit must not be lost with the garbage.
    setFlagsFromString('--expose-gc');
    const collecting = setInterval(runInNewContext('gc'), 100);
    onTestFinished(() => clearInterval(collecting));
    const [first, second] = await Promise.all(
      ['a', 'b'].map((account) => keychain.get(account).catch((error) => error)),
    );
    expect(first).toMatchObject({
      code: 'cli_keychain_unavailable',
      message: expect.stringContaining('3 s'),
    });
    // The very same: it was not asked.
    expect(second).toBe(first);
  });

  it('that does not respond leaves no process behind', async () => {
    keyring.freeze();
    onTestFinished(keyring.resume);
    const asking = open(keyring.variables)
      .get(ACCOUNT)
      .catch((error) => error);
    await expect.poll(listKeychainChildren).toHaveLength(1);
    expect(await asking).toMatchObject({ code: 'cli_keychain_unavailable' });
    await expect.poll(listKeychainChildren).toEqual([]);
  });

  it('lets a person at a display wait longer, and says so', async () => {
    keyring.freeze();
    onTestFinished(keyring.resume);
    const keychain = open({ ...keyring.variables, DISPLAY: ':0' }, true, keyring.resume);
    expect(await keychain.get('a')).toBeUndefined();
  });
});

describeOnLinux('a keyring that cannot be used', () => {
  it('is locked where it refuses to store', async () => {
    const keyring = await createKeyring();
    await keyring.lock();
    await expect(open(keyring.variables).set(ACCOUNT, 'a-key')).rejects.toMatchObject({
      code: 'cli_keychain_locked',
    });
  });

  it('is absent on a session without one', async () => {
    const session = await openSession();
    onTestFinished(session.close);
    await expect(open(session.variables).get(ACCOUNT)).rejects.toMatchObject({
      code: 'cli_keychain_absent',
    });
  });

  it('is absent without a session, though there is a display', async () => {
    await expect(open({ DISPLAY: ':99' }).get(ACCOUNT)).rejects.toMatchObject({
      code: 'cli_keychain_absent',
    });
  });
});

describe('what a system says when it refuses', () => {
  it.each([
    ['User canceled the operation.', 'cli_keychain_locked'],
    ['User interaction is not allowed.', 'cli_keychain_locked'],
    ['The user name or passphrase you entered is not correct.', 'cli_keychain_locked'],
    ['A specified logon session does not exist.', 'cli_keychain_locked'],
    ['Cannot create an item in a locked collection', 'cli_keychain_locked'],
    ['libsecret-1.so.0: cannot open shared object file', 'cli_keychain_absent'],
    ['Could not connect: No such file or directory', 'cli_keychain_absent'],
  ])('%s', (reason, code) => {
    expect(explainRefusal(reason)).toMatchObject({ code });
  });

  it('names what unlocks it on macOS', () => {
    expect(describeUnlock('darwin')).toContain('security unlock-keychain');
    expect(describeUnlock('linux')).toContain('log in to the desktop');
  });
});
