import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeConfig, openConfigFile, readConfig } from '../../src/config/config-file.ts';
import { parseKey } from '../../src/config/key-text.ts';
import { openKeys } from '../../src/config/keys.ts';
import type { Variables } from '../../src/config/variables.ts';
import { decodeText } from '../../src/input/decode-text.ts';
import { createKeyring, type Keyring, openKeyring } from '../support/keyring.ts';
import { describeOnLinux, isWindows, itOnPosix, skipUnless } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const staging = { name: 'staging', baseUrl: new URL('https://pets.test/v1') };
const elsewhere = { name: 'staging', baseUrl: new URL('https://other.test/v1') };
const KEY = 'a-key-that-ends-in-9f2a';

async function open(given: Variables = {}) {
  const folder = await createTemporaryFolder();
  const variables = { PATH: process.env.PATH, PETSTORE_CONFIG_DIR: folder, ...given };
  const { signal } = new AbortController();
  const keys = openKeys({
    variables,
    config: openConfigFile(variables),
    isInteractive: false,
    onWait: () => {},
    onLeft: () => {},
    signal,
  });
  return { keys, variables, keyFile: path.join(folder, 'keys.json') };
}

describe('a key from a variable', () => {
  const all = {
    PETSTORE_STAGING_API_KEY: 'key-of-staging',
    PETSTORE_API_KEY: 'key-of-all',
    PETSTORE_API_KEY_FILE: '/nothing/here',
  };
  it.each([
    ['PETSTORE_STAGING_API_KEY', all],
    ['PETSTORE_API_KEY', { ...all, PETSTORE_STAGING_API_KEY: '' }],
    ['PETSTORE_API_KEY', { ...all, PETSTORE_STAGING_API_KEY: undefined }],
  ])('is that of %s', async (source, variables) => {
    const { keys } = await open(variables);
    expect(await keys.find(staging)).toMatchObject({ source });
  });

  it('overrides what is stored', async () => {
    const { keys } = await open({ PETSTORE_API_KEY: 'key-of-all' });
    await keys.store(staging, KEY, { storage: 'file' });
    expect((await keys.find(staging)).text).toBe('key-of-all');
  });

  it('may be in a file, with a new line at its end', async () => {
    const folder = await createTemporaryFolder();
    const file = path.join(folder, 'key');
    await writeFile(file, `${KEY}\n`);
    const { keys } = await open({ PETSTORE_API_KEY_FILE: file });
    expect(await keys.find(staging)).toEqual({
      text: KEY,
      source: `${file} (PETSTORE_API_KEY_FILE)`,
      ending: '9f2a',
      variable: 'PETSTORE_API_KEY_FILE',
    });
  });

  it('may be in a file below the home folder, as ~', async () => {
    const HOME = await createTemporaryFolder();
    await writeFile(path.join(HOME, 'key'), KEY);
    const { keys } = await open({ HOME, USERPROFILE: HOME, PETSTORE_API_KEY_FILE: '~/key' });
    expect((await keys.find(staging)).text).toBe(KEY);
  });

  it('in a file that is not there is no key', async () => {
    const { keys } = await open({ PETSTORE_API_KEY_FILE: '/nothing/here' });
    await expect(keys.find(staging)).rejects.toMatchObject({
      code: 'cli_no_key',
      message:
        '/nothing/here (PETSTORE_API_KEY_FILE) cannot be read: there is no such file or folder.',
    });
  });

  it.each([
    ['"a-key"', 'is in quotation marks; remove them'],
    ["'a-key'", 'is in quotation marks; remove them'],
    ['"a-key', 'is in quotation marks; remove them'],
    ["a-key'", 'is in quotation marks; remove them'],
    ['a key', 'has a space at position 2'],
    ['a-kéy', 'has a character that no key has (U+00E9) at position 4'],
    ['a-\u200bkey', 'has a character that no key has (U+200B) at position 3'],
    ['one\ntwo', 'has more than one line'],
    [' ', 'is empty'],
    ['PETSTORE_API_KEY=a-key', 'stands behind "NAME="; only the key itself may be there'],
    ['export PETSTORE_API_KEY="a-key"', 'stands behind "NAME="; only the key itself may be there'],
    ['# the key\nKEY = a-key\n', 'stands behind "NAME="; only the key itself may be there'],
    ["$env:KEY='a-key'", 'stands behind "NAME="; only the key itself may be there'],
    ['{"key":"a-key"}', 'is in JSON; only the key itself may be there'],
  ])('%j is refused before anything is sent: %s', (text, mistake) => {
    expect(() => parseKey(text, 'PETSTORE_API_KEY')).toThrow(
      `The API key from PETSTORE_API_KEY ${mistake}.`,
    );
  });
});

it.each(['utf8', 'utf16le'] as const)(
  'a key file in %s is read, with a byte order mark and without',
  (encoding) => {
    for (const text of [KEY, `\uFEFF${KEY}`]) {
      expect(decodeText(Buffer.from(text, encoding)).text).toBe(KEY);
    }
  },
);

it('a key file in UTF-16 with the bytes the other way around is read', () => {
  expect(decodeText(Buffer.from(`\uFEFF${KEY}`, 'utf16le').swap16()).text).toBe(KEY);
});

it.each(['YS1rZXk=', 'YWtleQ==', 'a=='])('%s, with the end of base64, is a key', (text) => {
  expect(parseKey(text, 'PETSTORE_API_KEY')).toBe(text);
});

it.each([
  ['a pipe', (file: string) => promisify(execFile)('mkfifo', [file])],
  ['a device', (file: string) => symlink('/dev/zero', file)],
  ['a folder', (file: string) => mkdir(file)],
])('%s in place of a key file is refused at once', async (kind, create) => {
  skipUnless(kind === 'a folder' || !isWindows, kind);
  const file = path.join(await createTemporaryFolder(), 'key');
  await create(file);
  const { keys } = await open({ PETSTORE_API_KEY_FILE: file });
  await expect(keys.find(staging)).rejects.toMatchObject({
    code: 'cli_no_key',
    message: expect.stringMatching(/cannot be read: it is a (folder|pipe, a socket or a device)/),
  });
});

describe('a key in the private file', () => {
  itOnPosix('that is a pipe is refused at once', async () => {
    const { keys, keyFile } = await open();
    await keys.store(staging, KEY, { storage: 'file' });
    await rm(keyFile);
    await promisify(execFile)('mkfifo', [keyFile]);
    await expect(keys.find(staging)).rejects.toThrow('it is a pipe');
    await expect(keys.store(staging, KEY, { storage: 'file' })).rejects.toThrow('it is a pipe');
  });

  it.each(['[]', '{"__proto__": "a-key"}', '{"staging@https://pets.test": 7}'])(
    'is not looked for in the damaged file %s, which stays as it is',
    async (text) => {
      const { keys, keyFile } = await open();
      await writeFile(keyFile, text, { mode: 0o600 });
      await expect(keys.store(staging, KEY, { storage: 'file' })).rejects.toThrow('is damaged');
      expect(await readFile(keyFile, 'utf8')).toBe(text);
    },
  );

  itOnPosix(
    'is returned for its environment and origin, and readable by its owner only',
    async () => {
      const { keys, keyFile } = await open();
      await keys.store(staging, KEY, { storage: 'file' });
      expect(await keys.find(staging)).toEqual({ text: KEY, source: keyFile, ending: '9f2a' });
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    },
  );

  it('never goes to another origin', async () => {
    const { keys } = await open();
    await keys.store(staging, KEY, { storage: 'file' });
    await expect(keys.find(elsewhere)).rejects.toMatchObject({
      code: 'cli_no_key',
      details: expect.arrayContaining([
        'its stored key is for https://pets.test, not for https://other.test',
      ]),
    });
  });

  it('never goes to another environment of the same origin', async () => {
    const { keys } = await open();
    await keys.store(staging, KEY, { storage: 'file' });
    await expect(keys.find({ ...staging, name: 'production' })).rejects.toThrow('no API key');
  });

  itOnPosix.each([
    ['others', 0o604],
    ['its group', 0o640],
  ])('is not used when %s can read it', async (_who, mode) => {
    const { keys, keyFile } = await open();
    await keys.store(staging, KEY, { storage: 'file' });
    await chmod(keyFile, mode);
    await expect(keys.find(staging)).rejects.toMatchObject({ code: 'cli_key_file_unsafe' });
    await expect(keys.store(staging, 'new-key', { storage: 'file' })).rejects.toThrow(
      'Others can read',
    );
  });

  it('is not quoted when the file is damaged', async () => {
    const { keys, keyFile } = await open();
    await keys.store(staging, KEY, { storage: 'file' });
    await writeFile(keyFile, `{"staging@https://pets.test": "${KEY}"`);
    const error = await keys.find(staging).catch((error) => error);
    expect(`${error.stack}${error.details}`).not.toContain(KEY);
  });

  it('is kept for the origin that is excepted when those of others are removed', async () => {
    const { keys } = await open();
    await keys.store(elsewhere, 'another-key', { storage: 'file' });
    await keys.store(staging, KEY, { storage: 'file' });
    expect(await keys.remove('staging', { exceptOrigin: 'https://pets.test' })).toBe(true);
    expect((await keys.find(staging)).text).toBe(KEY);
    await expect(keys.find(elsewhere)).rejects.toThrow('no API key');
  });

  it('is removed for all origins that its environment had', async () => {
    const { keys, keyFile, variables } = await open();
    await keys.store(staging, KEY, { storage: 'file' });
    await keys.store(elsewhere, 'another-key', { storage: 'file' });
    await keys.store({ ...staging, name: 'production' }, 'third-key', { storage: 'file' });
    expect(await keys.remove('staging')).toBe(true);
    expect(JSON.parse(await readFile(keyFile, 'utf8'))).toEqual({
      'production@https://pets.test': 'third-key',
    });
    expect(readConfig(variables).environments?.staging?.keys).toEqual({});
  });
});

describeOnLinux('a key in the keychain', () => {
  let keyring: Keyring;
  beforeAll(async () => {
    keyring = await openKeyring();
  });
  afterAll(() => keyring.close());

  it('is stored under its environment and origin, and nowhere else', async () => {
    const { keys, variables } = await open(keyring.variables);
    await keys.store(staging, KEY, { storage: 'keychain' });
    expect(await keyring.lookUp('staging@https://pets.test')).toBe(KEY);
    expect(readConfig(variables).environments?.staging).toEqual({
      keys: { 'https://pets.test': { storage: 'keychain', ending: '9f2a' } },
    });
    expect(await keys.find(staging)).toMatchObject({ text: KEY, source: 'the OS keychain' });
    await keys.remove('staging');
    expect(await keyring.lookUp('staging@https://pets.test')).toBeUndefined();
  });

  it('that is not there any more leaves nothing behind when it is removed', async () => {
    const { keys, variables } = await open(keyring.variables);
    await changeConfig(variables, () => ({
      environments: {
        staging: { keys: { 'https://pets.test': { storage: 'keychain', ending: '9f2a' } } },
      },
    }));
    expect(await keys.remove('staging')).toBe(true);
    expect(await keyring.lookUp('staging@https://pets.test')).toBeUndefined();
  });

  it('that cannot be stored for a new address leaves that of the old one', async () => {
    const locked = await createKeyring();
    await locked.lock();
    const { keys } = await open(locked.variables);
    await keys.store(staging, KEY, { storage: 'file' });
    const moving = keys.store(elsewhere, 'new-key', { storage: 'keychain', isMoved: true });
    await expect(moving).rejects.toMatchObject({ code: 'cli_keychain_locked' });
    expect((await keys.find(staging)).text).toBe(KEY);
  });

  it('that is locked is not reported as missing, nor removed', async () => {
    const locked = await createKeyring();
    const { keys } = await open(locked.variables);
    await keys.store(staging, KEY, { storage: 'keychain' });
    await locked.lock();
    await expect(keys.find(staging)).rejects.toMatchObject({ code: 'cli_keychain_locked' });
    await expect(keys.remove('staging')).rejects.toMatchObject({ code: 'cli_keychain_locked' });
    await expect(keys.find(staging)).rejects.toMatchObject({ code: 'cli_keychain_locked' });
  });
});
