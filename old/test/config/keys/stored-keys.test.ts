import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../src/config/files/config-file.ts';
import { createStoredKeys } from '../../../src/config/keys/stored-keys.ts';
import { UserError } from '../../../src/errors.ts';
import { account, locked, makeKey, openStoredKeys, production, staging } from './support.ts';

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
