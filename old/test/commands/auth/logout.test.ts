import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { type Machine, openMachine } from '../../support/machine.ts';

const locked = new UserError('cli_keychain_locked', 'The OS keychain is locked');
let machine: Machine;
beforeEach(async () => {
  machine = await openMachine();
});

describe('petstore auth logout', () => {
  it('removes the key and what was remembered of it', async () => {
    const { run, staging, keychain, readConfig } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    expect(await run('auth logout')).toEqual({
      stdout: '',
      stderr:
        'Removed the API key of staging from this machine. It is still valid at the service.\n',
      exitCode: 0,
    });
    expect(keychain.secrets.size).toBe(0);
    expect((await readConfig()).keys).toEqual({});
    expect(await run('auth logout')).toEqual({
      stdout: '',
      stderr: 'No API key is stored for staging.\n',
      exitCode: 0,
    });
  });

  it('removes the keys of all environments with --all, and no more', async () => {
    const { run, staging, production, keychain } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const line = 'auth login --env production --key-stdin --storage file';
    await run(line, { stdin: production.key });
    keychain.secrets.set('somebody else', 'stays');
    expect((await run('auth logout --all')).exitCode).toBe(0);
    expect([...keychain.secrets.keys()]).toEqual(['somebody else']);
    expect((await run('auth status --env production')).exitCode).toBe(4);
  });

  it('removes with --all what can be removed, whatever fails', async () => {
    const { run, staging, production, keyFile, readConfig, accountOf } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const line = 'auth login --env production --key-stdin --storage file';
    await run(line, { stdin: production.key });
    const result = await run('auth logout --all', { keychain: createFakeKeychain({ locked }) });
    expect(result).toMatchObject({ stdout: '', exitCode: 4 });
    expect(result.stderr).toMatch(/^Removed the API key of production.*\nError: .* is locked\n/);
    expect(await readFile(keyFile, 'utf8')).toBe('{}\n');
    expect(Object.keys((await readConfig()).keys)).toEqual([accountOf(staging)]);
  });

  it('fails on a locked keychain instead of pretending', async () => {
    const { run, staging, readConfig } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const result = await run('auth logout', { keychain: createFakeKeychain({ locked }) });
    expect(result).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('is locked') });
    expect(Object.keys((await readConfig()).keys)).toHaveLength(1);
  });

  it('names a variable that still gives a key', async () => {
    const { stderr } = await machine.run('auth logout', { env: { PETSTORE_API_KEY: 'any-key' } });
    expect(stderr).toContain('PETSTORE_API_KEY still gives staging a key.');
  });
});
