import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../../src/config/files/config-file.ts';
import {
  createKeys,
  lastFourOf,
  parseKey,
  readKeyText,
  storageSource,
} from '../../../src/config/keys/keys.ts';
import type { Variables } from '../../../src/config/variables.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { makeFolder } from '../../support/make-folder.ts';

const staging = { name: 'staging', url: 'https://staging.acme.test/v1', protected: false };
const account = 'staging@https://staging.acme.test';
const stored = { storedAt: '2026-11-20T09:00:00.000Z', lastFour: 'a1b2', fingerprint: '' };

/** Keys with one in the keychain, and what was asked of it. */
async function open(variables: Variables = {}, config: ConfigFile = {}) {
  const keyFile = path.join(await makeFolder(), 'keys.json');
  const seen = { forgone: 0, secrets: [] as string[] };
  const keychain = createFakeKeychain({ secrets: { [account]: 'pst_keychain_a1b2' } });
  const keys = createKeys({
    ...{ variables, keyFile, configFile: '/config.json', readConfig: () => config },
    openKeychain: async () => keychain,
    forgoKeychain: () => {
      seen.forgone += 1;
    },
    signal: new AbortController().signal,
    keepSecret: (key) => void seen.secrets.push(key),
  });
  return { keys, keyFile, keychain, seen };
}

describe('the key for an environment', () => {
  it('comes from the keychain, with what is remembered of it, and is kept secret', async () => {
    const record = { ...stored, storage: 'keychain', access: 'read' } as const;
    const { keys, seen } = await open({}, { keys: { [account]: record } });
    expect(await keys.find(staging)).toEqual({
      ...{ value: 'pst_keychain_a1b2', source: 'keychain', from: 'the OS keychain' },
      ...{ lastFour: 'a1b2', info: { access: 'read' } },
    });
    expect(seen).toEqual({ forgone: 0, secrets: ['pst_keychain_a1b2'] });
    expect(keys.recallInfo(staging)).toEqual({ access: 'read' });
  });

  it('comes from the key file where it was stored there', async () => {
    const record = { ...stored, storage: 'file' } as const;
    const { keys, keyFile, keychain, seen } = await open({}, { keys: { [account]: record } });
    await writeFile(keyFile, JSON.stringify({ [account]: 'pst_in_file_c3d4' }), { mode: 0o600 });
    expect(await keys.find(staging)).toEqual({
      ...{ value: 'pst_in_file_c3d4', source: 'file', from: `the key file ${keyFile}` },
      ...{ lastFour: 'c3d4', info: undefined },
    });
    expect(seen).toEqual({ forgone: 1, secrets: ['pst_in_file_c3d4'] });
    expect(keychain.calls()).toBe(0);
  });

  it.each([
    [{ PETSTORE_STAGING_API_KEY: 'pst_own_1111', PETSTORE_API_KEY: 'no' }, '1111', 'STAGING_API'],
    [{ PETSTORE_API_KEY: 'pst_any_2222\n', PETSTORE_API_KEY_FILE: '/no' }, '2222', 'API'],
  ])('comes from %j before any storage', async (variables, lastFour, from) => {
    const record = { ...stored, storage: 'keychain', access: 'read' } as const;
    const { keys, keychain, seen } = await open(variables, { keys: { [account]: record } });
    expect(await keys.find(staging)).toEqual({
      ...{ value: expect.stringMatching(/^pst_\w+$/), source: 'variable', lastFour },
      from: `PETSTORE_${from}_KEY`,
    });
    expect(seen.forgone).toBe(1);
    expect(seen.secrets).toHaveLength(1);
    expect(keychain.calls()).toBe(0);
    expect(keys.recallInfo(staging)).toBeUndefined();
  });

  it('comes from the file that a variable names', async () => {
    const file = path.join(await makeFolder(), 'key');
    await writeFile(file, 'pst_by_path_3333\r\n');
    const { keys } = await open({ PETSTORE_API_KEY_FILE: file });
    expect(await keys.find(staging)).toEqual({
      ...{ value: 'pst_by_path_3333', source: 'variable', lastFour: '3333' },
      from: `${file} (PETSTORE_API_KEY_FILE)`,
    });
    expect(keys.listVariables('staging')).toEqual([
      { name: 'PETSTORE_API_KEY_FILE', kind: 'file', value: file },
    ]);
    await rm(file);
    await expect(keys.find(staging)).rejects.toMatchObject({
      message:
        'The file named by PETSTORE_API_KEY_FILE cannot be read: there is no such file or folder',
    });
  });

  it('is asked for where there is none, with two ways to give it', async () => {
    const { keys } = await open();
    await expect(keys.find({ ...staging, name: 'my-shop' })).rejects.toMatchObject({
      ...{ code: 'cli_no_key', message: 'There is no API key for my-shop' },
      details: ['or set PETSTORE_MY_SHOP_API_KEY'],
      next: ['petstore auth login --env my-shop'],
    });
  });

  it.each([
    [{}, '', 'petstore env set staging --url https://old.acme.test/v1'],
    [
      { PETSTORE_STAGING_URL: 'https://new.acme.test/v1' },
      ' (PETSTORE_STAGING_URL)',
      'export PETSTORE_STAGING_URL=https://old.acme.test/v1',
    ],
  ])('that was stored for another URL is not used, %j', async (variables, from, back) => {
    const record = { ...stored, storage: 'keychain', url: 'https://old.acme.test/v1' } as const;
    const config = { keys: { 'staging@https://old.acme.test': record } };
    const { keys } = await open(variables, config);
    await expect(keys.find({ ...staging, url: 'https://new.acme.test/v1' })).rejects.toMatchObject({
      ...{ code: 'cli_no_key', message: 'The key of staging is for another URL' },
      details: [
        'stored 2026-11-20 for https://old.acme.test/v1, ending a1b2',
        `the URL of staging is now https://new.acme.test/v1${from}`,
        'log in for the new URL, or go back to the old one',
      ],
      next: ['petstore auth login --env staging', back],
    });
  });
});

describe('the text of a key', () => {
  it.each(['pst_a1b2', 'pst_a1b2\n', 'pst_a1b2\r\n'])('%j is one', (text) => {
    expect(parseKey(text, 'stdin')).toEqual({ value: 'pst_a1b2', lastFour: '****' });
  });

  it.each(['pst_a1b2\n\n', ' pst_a1b2', 'pst_a1b2\nx'])('%j is none', (text) => {
    expect(() => parseKey(text, 'stdin')).toThrow(
      expect.objectContaining({
        ...{ code: 'cli_no_key', message: expect.stringMatching(/^The API key from stdin has a /) },
        details: [expect.stringContaining('a key is one word')],
      }),
    );
    expect(() => parseKey(text, 'stdin', 'cli_key_rejected')).toThrow(
      expect.objectContaining({ code: 'cli_key_rejected' }),
    );
  });

  it('is known by its end, unless that were half of it', () => {
    expect(lastFourOf('12345678')).toBe('****');
    expect(lastFourOf('123456789')).toBe('6789');
  });

  const { signal } = new AbortController();

  it('is read from a file of at most 64 KiB', async () => {
    const file = path.join(await makeFolder(), 'key');
    await writeFile(file, 'k'.repeat(64 * 1024));
    expect(await readKeyText(file, 'The file', signal)).toHaveLength(64 * 1024);
    await writeFile(file, 'k'.repeat(64 * 1024 + 1));
    await expect(readKeyText(file, 'The file', signal)).rejects.toMatchObject({
      code: 'cli_no_key',
    });
  });

  it('that cannot be read is said with the reason', async () => {
    await expect(readKeyText('/nowhere/key', 'The file', signal)).rejects.toMatchObject({
      ...{
        code: 'cli_no_key',
        message: 'The file cannot be read: there is no such file or folder',
      },
      cause: { code: 'ENOENT' },
    });
    await expect(readKeyText('/nowhere/key', '', AbortSignal.abort())).rejects.not.toHaveProperty(
      'code',
      'cli_no_key',
    );
  });
});

it('a storage is the source of a setting', () => {
  expect(storageSource('file', '/keys.json')).toEqual({ kind: 'file', path: '/keys.json' });
  expect(storageSource('keychain', '/keys.json')).toEqual({ kind: 'keychain' });
});
