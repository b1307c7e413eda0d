import { execFileSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  explainMissingLibrary,
  explainRefusal,
  explainTimeout,
} from '../../../src/config/keys/keychain-failures.ts';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain, type FakeKeychain } from '../../support/fake-keychain.ts';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService, type TestService } from '../../support/service.ts';

const locked = new UserError('cli_keychain_locked', 'The OS keychain is locked');
const clock = new Date('2026-11-20T09:00:00Z');

/** A machine with a keychain whose staging and production are two services. */
async function openMachine() {
  const [staging, production] = await Promise.all([startService(), startService()]);
  onTestFinished(() => Promise.all([staging.close(), production.close()]).then(() => {}));
  const home = await createHome();
  const keychain = createFakeKeychain();
  const folder = path.join(home, '.config', 'petstore');
  const run = (line: string, options: RunOptions = {}) =>
    runPetstore(line.split(' '), {
      keychain,
      clock,
      ...options,
      env: {
        HOME: home,
        PETSTORE_STAGING_URL: staging.url,
        PETSTORE_PRODUCTION_URL: production.url,
        ...options.env,
      },
    });
  return {
    staging,
    production,
    keychain,
    run,
    home,
    keyFile: path.join(folder, 'keys.json'),
    readConfig: async () => JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8')),
    accountOf: (service: TestService, name = 'staging') => `${name}@${new URL(service.url).origin}`,
  };
}

type Machine = Awaited<ReturnType<typeof openMachine>>;
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
        `Error: staging rejected the API key ending ${production.key.slice(-4)} (401 unauthorized)`,
        `  GET ${machine.staging.url}/pets?limit=1`,
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
    expect(refused.stderr).toContain('--no-verify stores a key without asking the service');
    expect(keychain.calls()).toBe(0);
    expect((await run('auth login --key-stdin --no-verify', options)).exitCode).toBe(0);
    expect([...keychain.secrets]).toEqual([['staging@http://127.0.0.1:9', 'some-key-a1b2']]);
  });

  it.each([
    ['a key with a blank', 'two words', 'characters that no key has'],
    ['an empty key', '\n', 'is empty or holds'],
    ['two lines', 'one-key\nanother-key\n', 'characters that no key has'],
    ['a mistyped key', `pst_${'0'.repeat(49)}`, 'mistyped or cut'],
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
        'Error: No key was given for staging, and nobody can be asked',
        '  --key-stdin or --key-file <path> give it',
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
    expect(stderr).toContain(`chmod 600 ${keyFile}`);
  });
});

describe('petstore auth status', () => {
  async function readStatus(keychain: FakeKeychain, flags = '') {
    const { stdout, exitCode } = await machine.run(`auth status --json${flags}`, { keychain });
    return { statuses: JSON.parse(stdout), exitCode };
  }

  it('says where the key is, without asking the service', async () => {
    const { run, staging, production } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const end = staging.key.slice(-4);
    expect(await run('auth status')).toEqual({
      stdout:
        'ENVIRONMENT  STATE      SOURCE    ENDING  FROM             REASON\n' +
        `staging      unchecked  keychain  ${end}    the OS keychain  -\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(JSON.parse((await run('auth status --all --json')).stdout)).toEqual([
      {
        environment: 'production',
        url: production.url,
        state: 'missing',
        source: null,
        from: null,
        lastFour: null,
        storedAt: null,
        reason: 'There is no API key for production',
      },
      {
        environment: 'staging',
        url: staging.url,
        state: 'unchecked',
        source: 'keychain',
        from: 'the OS keychain',
        lastFour: end,
        storedAt: clock.toISOString(),
        reason: null,
      },
    ]);
  });

  it('folds a long reason on a screen, and not in a pipe', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const end = staging.key.slice(-4);
    const keychain = createFakeKeychain({ locked });
    const screen = await run('auth status --all', { keychain, tty: true, columns: 100 });
    expect(screen).toEqual({
      stdout: [
        'ENVIRONMENT  STATE    SOURCE    ENDING  FROM  REASON',
        'production   missing  -         -       -     There is no API key for production',
        `staging      locked   keychain  ${end}    -     The OS keychain did not hand over the API key of`,
        '                                              staging: it is locked, or the key was removed there',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    const pipe = await run('auth status --all', { keychain, columns: 100 });
    expect(pipe.stdout.trimEnd().split('\n')).toHaveLength(3);
  });

  it('asks the service with --check', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    expect(await readStatus(machine.keychain, ' --check')).toMatchObject({
      statuses: [{ state: 'ok', reason: null }],
      exitCode: 0,
    });
  });

  it.each([
    ['missing', {}],
    ['unavailable', { failure: new UserError('cli_keychain_unavailable', 'No keychain') }],
    ['unavailable', { failure: new UserError('cli_keychain_timeout', 'Too slow') }],
    ['unavailable', { failure: new UserError('cli_keychain_library_missing', 'No lib') }],
  ])('says %s, exit 4', async (state, options) => {
    expect(await readStatus(createFakeKeychain(options))).toMatchObject({
      statuses: [{ environment: 'staging', state, source: null }],
      exitCode: 4,
    });
  });

  it('tells a locked keychain from one that never had the key', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    expect(await readStatus(createFakeKeychain({ locked }))).toMatchObject({
      statuses: [{ state: 'locked', source: 'keychain', lastFour: staging.key.slice(-4) }],
      exitCode: 4,
    });
  });

  it('says rejected when the service does not accept the key', async () => {
    const { run } = machine;
    await run('auth login --key-stdin --no-verify', { stdin: 'unknown-key-a1b2' });
    expect(await readStatus(machine.keychain, ' --check')).toMatchObject({
      statuses: [{ state: 'rejected', lastFour: 'a1b2' }],
      exitCode: 4,
    });
  });

  it('leaves a key unchecked that the service could not be asked about', async () => {
    const env = { PETSTORE_STAGING_URL: 'http://127.0.0.1:9/v1', PETSTORE_API_KEY: 'any-key-a1b2' };
    const { stdout, exitCode } = await machine.run('auth status --check --json --retries 0', {
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'unchecked', source: 'variable', from: 'PETSTORE_API_KEY' },
    ]);
    expect(exitCode).toBe(8);
  });

  it('sends the key of the selected environment to no other, also with --all --check', async () => {
    const elsewhere = await startHttpServer((_, response) => response.writeHead(401).end());
    const env = {
      PETSTORE_PRODUCTION_URL: elsewhere.url,
      PETSTORE_API_KEY: machine.staging.key,
    };
    const { stdout } = await machine.run('auth status --all --check --json', { env });
    expect(JSON.parse(stdout)).toMatchObject([
      {
        environment: 'production',
        state: 'unchecked',
        from: 'PETSTORE_API_KEY',
        reason: 'PETSTORE_API_KEY gives the key of the selected environment; it was not sent here',
      },
      { environment: 'staging', state: 'ok', reason: null },
    ]);
    expect(elsewhere.requests).toEqual([]);
  });

  it('ends with 0 for --all, whatever it found', async () => {
    const { statuses, exitCode } = await readStatus(createFakeKeychain(), ' --all');
    expect(statuses).toMatchObject([{ state: 'missing' }, { state: 'missing' }]);
    expect(exitCode).toBe(0);
  });
});

describe('which key is sent', () => {
  it.each([
    [
      ['PETSTORE_STAGING_API_KEY', 'PETSTORE_API_KEY', 'FILE', 'stored'],
      'PETSTORE_STAGING_API_KEY',
    ],
    [['PETSTORE_API_KEY', 'FILE', 'stored'], 'PETSTORE_API_KEY'],
    [['FILE', 'stored'], 'PETSTORE_API_KEY_FILE'],
    [['stored'], 'the OS keychain'],
    [['PETSTORE_PRODUCTION_API_KEY', 'stored'], 'the OS keychain'],
  ])('of %j is that of %s', async (given, winner) => {
    const { run, home, staging } = machine;
    if (given.includes('stored')) await run('auth login --key-stdin', { stdin: staging.key });
    const file = path.join(home, 'key.txt');
    await writeFile(file, 'from-file-a1b2\n');
    const env: Record<string, string> = {};
    for (const name of given) {
      if (name === 'FILE') env.PETSTORE_API_KEY_FILE = file;
      else if (name !== 'stored') env[name] = `from-${name}`;
    }
    const { stdout } = await run('auth status --json', { env });
    expect(JSON.parse(stdout)[0].from).toContain(winner);
  });
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

describe('petstore auth token', () => {
  it('prints the key to a pipe, and nothing else', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    expect(await run('auth token')).toEqual({
      stdout: `${staging.key}\n`,
      stderr: '',
      exitCode: 0,
    });
    expect((await run('auth token --json')).stdout).toBe(
      `${JSON.stringify({ environment: 'staging', key: staging.key })}\n`,
    );
  });

  it('shows it on a screen only with --reveal, and asks no keychain before', async () => {
    const { run, staging, keychain } = machine;
    keychain.secrets.set(machine.accountOf(staging), staging.key);
    const refused = await run('auth token', { tty: true });
    expect(refused).toMatchObject({ stdout: '', exitCode: 3 });
    expect(refused.stderr).toContain('Try:  petstore auth token --env staging --reveal\n');
    expect(keychain.calls()).toBe(0);
    expect((await run('auth token --reveal', { tty: true })).stdout).toBe(`${staging.key}\n`);
  });
});

describe('a key', () => {
  it('is bound to its origin', async () => {
    const { run, staging, production } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const moved = { env: { PETSTORE_STAGING_URL: production.url } };
    expect(await run('list', moved)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('There is no API key for staging'),
    });
  });

  it.each([
    ['another port', 'keychain', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8081/v1'],
    ['another port', 'file', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8081/v1'],
    ['another scheme', 'keychain', 'http://127.0.0.1:8080/v1', 'https://127.0.0.1:8080/v1'],
    ['another scheme', 'file', 'http://127.0.0.1:8080/v1', 'https://127.0.0.1:8080/v1'],
  ])('is one of its own for %s of the same host (%s)', async (_, storage, first, second) => {
    const { run } = machine;
    const at = (url: string) => ({ env: { PETSTORE_STAGING_URL: url } });
    const login = `auth login --key-stdin --no-verify --storage ${storage}`;
    await run(login, { ...at(first), stdin: 'key-of-the-first' });
    expect(await run('auth token', at(second))).toMatchObject({ stdout: '', exitCode: 4 });
    expect(await run(login, { ...at(second), stdin: 'key-of-the-second' })).toMatchObject({
      exitCode: 0,
    });
    expect((await run('auth token', at(first))).stdout).toBe('key-of-the-first\n');
    expect((await run('auth token', at(second))).stdout).toBe('key-of-the-second\n');
  });

  it('is not sent to another port of the same host', async () => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const elsewhere = await startHttpServer((_, response) => response.writeHead(401).end());
    const moved = { env: { PETSTORE_STAGING_URL: elsewhere.url } };
    expect(await run('list', moved)).toMatchObject({ stdout: '', exitCode: 4 });
    expect(elsewhere.requests).toEqual([]);
  });

  it('does not follow a redirect, not even to its own origin', async () => {
    const { run, staging } = machine;
    const elsewhere = await startHttpServer((_, response) => {
      response.writeHead(307, { location: `${staging.url}/pets` }).end();
    });
    const env = { PETSTORE_STAGING_URL: elsewhere.url, PETSTORE_API_KEY: staging.key };
    expect(await run('list', { env })).toMatchObject({ stdout: '', exitCode: 7 });
    expect(elsewhere.requests).toEqual(['GET /v1/pets?limit=20']);
  });
});
