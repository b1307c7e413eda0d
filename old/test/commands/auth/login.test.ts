import { execFileSync } from 'node:child_process';
import { chmod, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  explainMissingLibrary,
  explainRefusal,
  explainTimeout,
} from '../../../src/config/keys/keychain.ts';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { type Machine, openMachine } from '../../support/machine.ts';

const locked = new UserError('cli_keychain_locked', 'The OS keychain is locked');
const clock = new Date('2026-11-20T09:00:00Z');
let machine: Machine;
beforeEach(async () => {
  machine = await openMachine();
});

describe('petstore auth login', () => {
  it('asks without showing, verifies and stores the key for this environment at this origin', async () => {
    const { run, staging, keychain, accountOf, readConfig } = machine;
    const prompt = createFakePrompt(staging.key);
    expect(await run('auth login', { tty: true, prompt })).toEqual({
      stdout: '',
      stderr: `Stored the API key ending ${staging.key.slice(-4)} for staging in the OS keychain.\n`,
      exitCode: 0,
    });
    expect(prompt.asked).toEqual([`API key for staging (${staging.url}):`]);
    expect([...keychain.secrets]).toEqual([[accountOf(staging), staging.key]]);
    const { keys } = await readConfig();
    expect(keys[accountOf(staging)]).toMatchObject({
      storage: 'keychain',
      storedAt: clock.toISOString(),
      lastFour: staging.key.slice(-4),
    });
    expect((await run('list --json')).stdout).toBe('[]\n');
  });

  it('reads the key from stdin, one newline trimmed', async () => {
    const { run, staging, keychain } = machine;
    const { exitCode } = await run('auth login --key-stdin', { stdin: `${staging.key}\r\n` });
    expect(exitCode).toBe(0);
    expect([...keychain.secrets.values()]).toEqual([staging.key]);
  });

  it('reads the key from a file', async () => {
    const { run, staging, keychain, home } = machine;
    const file = path.join(home, 'key.txt');
    await writeFile(file, `${staging.key}\n`);
    expect((await run(`auth login --key-file ${file}`)).exitCode).toBe(0);
    expect([...keychain.secrets.values()]).toEqual([staging.key]);
  });

  it('stores nothing when the service rejects the key', async () => {
    const { run, production, keychain } = machine;
    expect(await run('auth login --key-stdin', { stdin: production.key })).toEqual({
      stdout: '',
      stderr: [
        'Nothing was stored.',
        'Error: The API key for staging was not accepted.',
        `  401 unauthorized: GET ${machine.staging.url}/pets?limit=1`,
        `  key ending ${production.key.slice(-4)}`,
        'Try:  petstore auth login --env staging',
        '',
      ].join('\n'),
      exitCode: 4,
    });
    expect(keychain.calls()).toBe(0);
  });

  it('stores nothing when the service cannot be reached, unless told not to ask it', async () => {
    const { run, keychain } = machine;
    const env = { PETSTORE_STAGING_URL: 'http://127.0.0.1:9/v1' };
    const options = { stdin: 'some-key-a1b2', env };
    const refused = await run('auth login --key-stdin --retries 0', options);
    expect(refused.exitCode).toBe(8);
    expect(refused.stderr).toContain('--no-verify stores a key without checking it');
    expect(keychain.calls()).toBe(0);
    expect((await run('auth login --key-stdin --no-verify', options)).exitCode).toBe(0);
    expect([...keychain.secrets]).toEqual([['staging@http://127.0.0.1:9', 'some-key-a1b2']]);
  });

  it.each([
    ['a key with a blank', 'two words', 'has a space at character 4'],
    ['an empty key', '\n', 'is empty'],
    ['two lines', 'one-key\nanother-key\n', 'has a line break at character 8'],
    ['a mistyped key', `pst_${'0'.repeat(49)}`, 'mistyped or truncated'],
  ])('refuses %s without asking anybody, and does not repeat it', async (_, stdin, reason) => {
    const { stderr, exitCode } = await machine.run('auth login --key-stdin', { stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    if (stdin.trim() !== '') expect(stderr).not.toContain(stdin.trim());
    expect(machine.keychain.calls()).toBe(0);
  });

  it.each([
    ['a pipe', {}],
    ['a terminal under CI', { tty: true, env: { CI: 'true' } }],
  ])('names the flags instead of waiting on %s', async (_, options) => {
    expect(await machine.run('auth login', options)).toEqual({
      stdout: '',
      stderr: [
        'Error: No key was given for staging, and this run cannot prompt for it',
        '  give it with --key-stdin or --key-file <path>',
        'Try:  petstore auth login --env staging --key-stdin < key.txt',
        '',
      ].join('\n'),
      exitCode: 3,
    });
  });

  it('does not read a key that would be seen while it is typed', async () => {
    const { exitCode, stderr } = await machine.run('auth login --key-stdin', { tty: true });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('stdin is a terminal');
  });

  it.each([
    ['PETSTORE_STAGING_API_KEY', 'any-key'],
    ['PETSTORE_API_KEY', 'any-key'],
    ['PETSTORE_API_KEY_FILE', '/run/secrets/key'],
  ])('refuses while %s would override the stored key', async (name, value) => {
    const { run, staging, keychain } = machine;
    const options = { stdin: staging.key, env: { [name]: value } };
    expect(await run('auth login --key-stdin', options)).toMatchObject({
      stderr: expect.stringContaining(
        `${name} is set and would override the key stored for staging`,
      ),
      exitCode: 2,
    });
    expect(keychain.calls()).toBe(0);
  });

  it('warns when the same key is stored for another environment', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const line = 'auth login --env production --key-stdin --no-verify';
    const { stderr, exitCode } = await run(line, { stdin: staging.key });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('The same key is stored for staging.');
  });

  it('fails on a locked keychain and names both ways out', async () => {
    const { run, staging } = machine;
    const keychain = createFakeKeychain({ locked });
    const { stderr, exitCode } = await run('auth login --key-stdin', {
      stdin: staging.key,
      keychain,
    });
    expect(exitCode).toBe(4);
    expect(stderr).toContain('The OS keychain is locked');
    expect(stderr).toContain('PETSTORE_STAGING_API_KEY');
    expect(stderr).toContain('petstore auth login --env staging --storage file');
  });

  it.each([
    ['is locked', { locked }],
    ['is not there', { failure: explainRefusal('no such service') }],
    ['lacks its library', { failure: explainMissingLibrary('no libsecret', 'linux') }],
    ['is too slow', { failure: explainTimeout(3_000) }],
  ])('on a keychain that %s offers lines that a shell can read', async (_, options) => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const keychain = createFakeKeychain(options);
    const { stderr } = await run('list --json', { keychain });
    const { next }: { next: string[] } = JSON.parse(stderr);
    expect(next.length).toBeGreaterThan(1);
    for (const line of next) execFileSync('sh', ['-n', '-c', line]);
  });

  it('keeps a key in a file only when told to, for its owner alone, and never asks the keychain', async () => {
    const { run, staging, keychain, keyFile } = machine;
    const { stderr } = await run('auth login --key-stdin --storage file', { stdin: staging.key });
    expect(stderr).toContain(`in ${keyFile}.`);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect((await run('list --json')).stdout).toBe('[]\n');
    expect((await run('auth status')).stdout).toContain(keyFile);
    expect(keychain.calls()).toBe(0);
  });

  it('refuses a key file that others can read', async () => {
    const { run, staging, keyFile } = machine;
    await run('auth login --key-stdin --storage file', { stdin: staging.key });
    await chmod(keyFile, 0o644);
    const { stderr, exitCode } = await run('list');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('can be read by others (mode 0644)');
    expect(stderr).toContain(`chmod 600 '${keyFile}'`);
  });
});
