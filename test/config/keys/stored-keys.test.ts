import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConfigFile, readConfigFile } from '../../../src/config/files/config-file.ts';
import { createKeyFile } from '../../../src/config/keys/key-file.ts';
import type { KeyStorage } from '../../../src/config/keys/key-records.ts';
import { createStoredKeys, type NewKey } from '../../../src/config/keys/stored-keys.ts';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain, type FakeKeychainOptions } from '../../support/fake-keychain.ts';
import { makeFolder } from '../../support/make-folder.ts';

const staging = { name: 'staging', url: 'https://staging.example.com/v1', protected: false };
const production = { name: 'production', url: 'https://pets.example.com/v1', protected: true };
const account = 'staging@https://staging.example.com';
const locked = new UserError('cli_keychain_locked', 'The OS keychain is locked');

function makeKey(value: string, key: Partial<NewKey> = {}): NewKey {
  const storedAt = new Date('2026-11-20T09:00:00Z');
  return { value, lastFour: value.slice(-4), storage: 'keychain', storedAt, ...key };
}

async function openStoredKeys(options: FakeKeychainOptions = {}) {
  const folder = await makeFolder();
  const configFile = path.join(folder, 'config.json');
  const keyFilePath = path.join(folder, 'keys.json');
  const keyFile = createKeyFile(keyFilePath);
  const open = (openOptions: FakeKeychainOptions) => {
    const keychain = createFakeKeychain(openOptions);
    const readConfig = () => readConfigFile(configFile);
    const openStorage = async (storage: KeyStorage) => ({ file: keyFile, keychain })[storage];
    return { keychain, stored: createStoredKeys({ openStorage, configFile, readConfig }) };
  };
  return { folder, configFile, keyFilePath, keyFile, open, ...open(options) };
}

describe('a key in the keychain', () => {
  it('is stored under environment and origin, and the config file records it without the key', async () => {
    const { stored, keychain, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    expect([...keychain.secrets]).toEqual([[account, 'pst_secret_a1b2']]);
    expect(readConfigFile(configFile).keys).toEqual({
      [account]: {
        storage: 'keychain',
        storedAt: '2026-11-20T09:00:00.000Z',
        url: staging.url,
        lastFour: 'a1b2',
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}:[0-9a-f]{8}$/),
      },
    });
    expect(await readFile(configFile, 'utf8')).not.toContain('pst_secret');
  });

  it('is read back for its own origin and for no other', async () => {
    const { stored } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    expect(await stored.read(staging)).toMatchObject({ value: 'pst_secret_a1b2' });
    expect(
      await stored.read({ ...staging, url: 'https://staging.example.com/deep/v1' }),
    ).toMatchObject({ value: 'pst_secret_a1b2' });
    const others = ['https://evil.example.com', 'https://staging.example.com:8443'];
    for (const origin of [...others, 'http://staging.example.com'])
      expect(await stored.read({ ...staging, url: `${origin}/v1` })).toBeUndefined();
    expect(await stored.read({ ...staging, name: 'other' })).toBeUndefined();
  });

  it('that was put there by another program is found as well', async () => {
    const { stored } = await openStoredKeys({ secrets: { [account]: 'by-hand' } });
    expect(await stored.read(staging)).toMatchObject({ value: 'by-hand' });
  });

  it('is reported as withheld, not as absent, once it was stored', async () => {
    const { stored, keychain } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    keychain.secrets.clear();
    await expect(stored.read(staging)).rejects.toMatchObject({
      code: 'cli_keychain_locked',
      message: expect.stringContaining('it is locked, or the key was removed there'),
      details: [
        'stored 2026-11-20, ending a1b2',
        'if it is locked, unlock it (log in to the desktop, or open its password program) and run this again',
        'if the key was removed, log in again',
        'without it: a variable for this shell only, or a file that only you can read',
      ],
      next: [
        'petstore auth login --env staging',
        'export PETSTORE_STAGING_API_KEY=…',
        'petstore auth login --env staging --storage file',
      ],
    });
  });

  it('can be tried out without needing one', async () => {
    const { stored, keychain, open } = await openStoredKeys();
    await stored.probeKeychain('staging');
    expect(keychain.calls()).toBe(1);
    const failure = new UserError('cli_keychain_unavailable', 'No keychain service responds');
    await expect(open({ failure }).stored.probeKeychain('staging')).rejects.toMatchObject({
      ...{ code: 'cli_keychain_unavailable', cause: failure },
      next: expect.arrayContaining(['petstore auth login --env staging --storage file']),
    });
  });

  it.each([
    ['removed', {}, []],
    ['put back as it was before', { secrets: { [account]: 'earlier' } }, [[account, 'earlier']]],
  ])('is %s when the config file cannot be written', async (_, options, left) => {
    const { stored, keychain, configFile } = await openStoredKeys(options);
    await mkdir(configFile);
    const broken = createStoredKeys({
      openStorage: async () => keychain,
      configFile,
      readConfig: () => ({}),
    });
    await expect(broken.store(staging, makeKey('new-secret'))).rejects.toMatchObject({
      code: 'cli_file',
    });
    expect([...keychain.secrets]).toEqual(left);
    expect(await stored.read(staging).catch(() => undefined)).toBeUndefined();
  });

  it.each([
    [new Error('it is gone'), ['PETSTORE_CONFIG_DIR names another folder for it', 'it is gone']],
    ['no error', ['PETSTORE_CONFIG_DIR names another folder for it']],
  ])('that cannot be removed again either is said to be left: %s', async (failure, details) => {
    const { keychain, configFile } = await openStoredKeys();
    await mkdir(configFile);
    const remove = () => Promise.reject(failure);
    const broken = createStoredKeys({
      openStorage: async () => ({ ...keychain, remove }),
      ...{ configFile, readConfig: () => ({}) },
    });
    await expect(broken.store(staging, makeKey('new-secret'))).rejects.toMatchObject({
      ...{ code: 'cli_file', message: expect.stringContaining(`${configFile} cannot be written`) },
      details: details.map((detail) => expect.stringContaining(detail)),
      cause: expect.any(Error),
    });
  });

  it('is forgotten with its record', async () => {
    const { stored, keychain, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    await stored.store(production, makeKey('pst_other_c3d4'));
    expect(await stored.remove('staging', staging.url)).toEqual([account]);
    expect([...keychain.secrets.values()]).toEqual(['pst_other_c3d4']);
    expect(Object.keys(readConfigFile(configFile).keys ?? {})).toEqual([
      'production@https://pets.example.com',
    ]);
    expect(await stored.remove('staging', staging.url)).toEqual([]);
  });

  it('is forgotten with those of the earlier origins of its environment', async () => {
    const { stored, keychain } = await openStoredKeys();
    await stored.store({ ...staging, url: 'https://old.example.com/v1' }, makeKey('pst_old_key1'));
    await stored.store(staging, makeKey('pst_new_key2'));
    await stored.remove('staging', staging.url);
    expect([...keychain.secrets]).toEqual([]);
  });

  it('is forgotten without a record, which is not made for it', async () => {
    const { stored, keychain, configFile } = await openStoredKeys({
      secrets: { [account]: 'by-hand' },
    });
    expect(await stored.remove('staging')).toEqual([]);
    expect(await stored.remove('staging', 'pets')).toEqual([]);
    expect(await stored.remove('staging', staging.url)).toEqual([account]);
    expect([...keychain.secrets]).toEqual([]);
    expect(existsSync(configFile)).toBe(false);
  });

  it('is not said to be removed by a keychain that is locked', async () => {
    const { stored, open, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    const later = open({ secrets: { [account]: 'pst_secret_a1b2' }, locked });
    await expect(later.stored.remove('staging', staging.url)).rejects.toBe(locked);
    expect(readConfigFile(configFile).keys).toHaveProperty([account]);
  });

  it('is forgotten when somebody else has removed it from an open keychain', async () => {
    const { stored, keychain, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    keychain.secrets.clear();
    expect(await stored.remove('staging', staging.url)).toEqual([account]);
    expect([...keychain.secrets]).toEqual([]);
    expect(readConfigFile(configFile).keys).toEqual({});
  });
});

describe('a key in a file', () => {
  it('is readable by its owner alone, and the keychain is never asked', async () => {
    const { stored, keychain, keyFilePath } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2', { storage: 'file' }));
    expect((await stat(keyFilePath)).mode & 0o777).toBe(0o600);
    expect(await stored.read(staging)).toEqual({ value: 'pst_secret_a1b2', storage: 'file' });
    expect(await stored.remove('staging', staging.url)).toEqual([account]);
    expect(await readFile(keyFilePath, 'utf8')).not.toContain('pst_secret');
    expect(keychain.calls()).toBe(0);
  });

  it.each([0o640, 0o604, 0o660, 0o644])('is refused when others can read it (%o)', async (mode) => {
    const { stored, keyFilePath } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2', { storage: 'file' }));
    await chmod(keyFilePath, mode);
    const refusal = { code: 'cli_key_file_unsafe', next: [`chmod 600 '${keyFilePath}'`] };
    await expect(stored.read(staging)).rejects.toMatchObject(refusal);
    const again = stored.store(production, makeKey('pst_other_c3d4', { storage: 'file' }));
    await expect(again).rejects.toMatchObject(refusal);
  });

  it('is never quoted when the file is damaged', async () => {
    const { keyFile, keyFilePath } = await openStoredKeys();
    await writeFile(keyFilePath, '{"staging@https://h": "pst_secret_a1b2"', { mode: 0o600 });
    const failure = await keyFile.get('staging@https://h').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'cli_key_file_unsafe' });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('pst_secret');
  });

  it('is forgotten though the file is gone, which is not made anew', async () => {
    const { stored, configFile, keyFilePath } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2', { storage: 'file' }));
    await rm(keyFilePath);
    expect(await stored.remove('staging', staging.url)).toEqual([account]);
    expect(readConfigFile(configFile).keys).toEqual({});
    expect(existsSync(keyFilePath)).toBe(false);
  });

  it('replaces one in a keychain that fails', async () => {
    const { stored, open, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    const later = open({ failure: new Error('the keychain is gone') });
    expect(
      await later.stored.store(staging, makeKey('pst_secret_c3d4', { storage: 'file' })),
    ).toEqual([]);
    expect(readConfigFile(configFile).keys).toMatchObject({ [account]: { storage: 'file' } });
  });

  it('leaves the storage that it is moved from', async () => {
    const { stored, keychain, keyFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2', { storage: 'file' }));
    await stored.store(staging, makeKey('pst_secret_c3d4'));
    expect(await keyFile.get(account)).toBeUndefined();
    expect(await stored.read(staging)).toMatchObject({ value: 'pst_secret_c3d4' });
    await stored.store(staging, makeKey('pst_secret_e5f6', { storage: 'file' }));
    expect([...keychain.secrets]).toEqual([]);
    expect(await stored.read(staging)).toMatchObject({ value: 'pst_secret_e5f6' });
  });
});

describe('the same key for two environments', () => {
  it('is noticed when it is stored', async () => {
    const { stored } = await openStoredKeys();
    expect(await stored.store(staging, makeKey('pst_shared_a1b2'))).toEqual([]);
    expect(await stored.store(production, makeKey('pst_shared_a1b2'))).toEqual(['staging']);
  });

  it('is not seen in another key, or in the same environment', async () => {
    const { stored } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_shared_a1b2'));
    expect(await stored.store(production, makeKey('pst_another_a1b2'))).toEqual([]);
    const moved = { ...staging, url: 'https://moved.example.com/v1' };
    expect(await stored.store(moved, makeKey('pst_shared_a1b2'))).toEqual([]);
  });
});

describe('the record of a key', () => {
  const record = { storage: 'keychain', lastFour: 'a1b2', fingerprint: '' } as const;
  const at = (day: number) => ({ ...record, storedAt: `2026-11-${day}T09:00:00Z` });
  const former = {
    'staging@https://one.acme.test': { ...at(10), url: 'https://one.acme.test/shop/v1' },
    'staging@https://two.acme.test': at(12),
    'staging@https://three.acme.test': at(11),
    'production@https://pets.acme.test': at(20),
  };

  async function openRecords(keys: ConfigFile['keys'] = former) {
    const { stored, configFile } = await openStoredKeys();
    await writeFile(configFile, JSON.stringify({ keys }));
    return stored;
  }

  it('is found by the URL as it was typed, which may be none', async () => {
    const stored = await openRecords();
    expect(stored.findRecord('staging', 'HTTPS://two.acme.test/x')).toEqual(at(12));
    for (const url of ['https://four.acme.test', 'two.acme.test', undefined])
      expect(stored.findRecord('staging', url)).toBeUndefined();
    expect(stored.listEnvironments()).toEqual(['staging', 'production']);
  });

  it('for another origin is the newest of its environment, where this one has none', async () => {
    const stored = await openRecords();
    expect(stored.findElsewhere(staging)).toEqual({
      ...{ lastFour: 'a1b2', storedAt: at(12).storedAt, url: 'https://two.acme.test/v1' },
    });
    expect(stored.findElsewhere({ ...staging, name: 'shop' })).toBeUndefined();
    const url = 'https://one.acme.test/v1';
    expect(stored.findElsewhere({ ...staging, url })).toBeUndefined();
  });

  it('has the base URL it was stored for', async () => {
    const account = 'staging@https://one.acme.test';
    const stored = await openRecords({ [account]: former[account] });
    expect(stored.findElsewhere(staging)?.url).toBe('https://one.acme.test/shop/v1');
  });
});

describe('what the service said of a key', () => {
  it('is remembered in place of what it said before', async () => {
    const { stored, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2', { info: { access: 'write' } }));
    const expiresAt = new Date('2026-12-20T09:00:00Z');
    await stored.rememberInfo(staging, 'a1b2', { access: 'read', expiresAt });
    expect(await stored.read(staging)).toMatchObject({ info: { access: 'read', expiresAt } });
    await stored.rememberInfo(staging, 'a1b2', { access: 'write' });
    const { keys } = readConfigFile(configFile);
    expect(keys?.[account]).toMatchObject({ access: 'write', url: staging.url });
    expect(keys?.[account]).not.toHaveProperty('expiresAt');
  });

  it('is dropped where another key was stored meanwhile, or none is', async () => {
    const { stored, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    const before = readConfigFile(configFile);
    await stored.rememberInfo(staging, 'c3d4', { access: 'read' });
    await stored.rememberInfo(production, 'a1b2', { access: 'read' });
    expect(readConfigFile(configFile)).toEqual(before);
  });
});

it('a fingerprint that was changed by hand is of no key', async () => {
  const { stored, configFile } = await openStoredKeys();
  const record = { storage: 'keychain', storedAt: '', lastFour: 'a1b2', fingerprint: 'ab' };
  await writeFile(configFile, JSON.stringify({ keys: { 'other@https://h': record } }));
  expect(await stored.store(staging, makeKey('pst_secret_a1b2'))).toEqual([]);
});
