import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canOpenKeyring, openKeyring } from '../../support/keyring.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { account, openKeychain } from './open-keychain.ts';

describe.skipIf(!canOpenKeyring)('an unlocked keychain', () => {
  let keyring: Awaited<ReturnType<typeof openKeyring>>;
  beforeAll(async () => {
    keyring = await openKeyring();
  });
  afterAll(() => keyring.stop());

  it('stores a secret byte for byte, where other programs find it', async () => {
    const secret = '-"\\ $(x) ü 🐕';
    await openKeychain(keyring.env).set('one@https://h', secret);
    expect(await openKeychain(keyring.env).get('one@https://h')).toBe(secret);
    expect(await keyring.lookup('one@https://h')).toBe(secret);
  });

  it('replaces a secret under the same account', async () => {
    const keychain = openKeychain(keyring.env);
    await keychain.set('two@https://h', 'first');
    await keychain.set('two@https://h', 'second');
    expect(await keychain.get('two@https://h')).toBe('second');
  });

  it('removes a secret, and says when there was none', async () => {
    const keychain = openKeychain(keyring.env);
    await keychain.set('three@https://h', 'secret');
    expect(await keychain.remove('three@https://h')).toBe(true);
    expect(await keyring.lookup('three@https://h')).toBeUndefined();
    expect(await keychain.remove('three@https://h')).toBe(false);
  });

  it('returns undefined for an absent secret', async () => {
    expect(await openKeychain(keyring.env).get('nobody@https://h')).toBeUndefined();
  });

  it('gives the child no variable that may hold a key', async () => {
    const file = path.join(await makeFolder(), 'spy.cjs');
    const spy = `console.log(JSON.stringify({ value: Object.keys(process.env).concat(process.argv).join() }))`;
    await writeFile(file, spy);
    const keychain = openKeychain(
      { PETSTORE_API_KEY: 'k', PETSTORE_STAGING_API_KEY: 'k', NODE_OPTIONS: '' },
      { child: { file: process.execPath, args: [file] } },
    );
    const seen = await keychain.get('secret-account');
    expect(seen).toContain('LC_ALL');
    expect(seen).not.toMatch(/PETSTORE|NODE_|secret-account/);
  });
});

describe.skipIf(!canOpenKeyring)('a locked keychain', () => {
  let keyring: Awaited<ReturnType<typeof openKeyring>>;
  beforeAll(async () => {
    keyring = await openKeyring();
    await openKeychain(keyring.env).set(account, 'secret');
    await keyring.lock();
  });
  afterAll(() => keyring.stop());

  it('gives nothing, as if there were nothing', async () => {
    expect(await openKeychain(keyring.env).get(account)).toBeUndefined();
    expect(await openKeychain(keyring.env).remove(account)).toBe(false);
  });

  it('refuses to store a secret, and says that it is locked', async () => {
    await expect(openKeychain(keyring.env).set(account, 'other')).rejects.toMatchObject({
      code: 'cli_keychain_locked',
    });
  });
});
