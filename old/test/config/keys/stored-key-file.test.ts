import { existsSync } from 'node:fs';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../src/config/files/config-file.ts';
import { account, makeKey, openStoredKeys, production, staging } from './support.ts';

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
