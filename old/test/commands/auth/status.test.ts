import { beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { createFakeKeychain, type FakeKeychain } from '../../support/fake-keychain.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { type Machine, openMachine } from '../../support/machine.ts';

const locked = new UserError('cli_keychain_locked', 'The OS keychain is locked');
const clock = new Date('2026-11-20T09:00:00Z');
let machine: Machine;
beforeEach(async () => {
  machine = await openMachine();
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
        '   ENVIRONMENT  STATE      ENDING  ACCESS  FROM             REASON  URL\n' +
        `*  staging      unchecked  ${end}    write   the OS keychain  -       ${staging.url}\n`,
      stderr: '',
      exitCode: 0,
    });
    expect(JSON.parse((await run('auth status --all --json')).stdout)).toEqual([
      {
        environment: 'production',
        url: production.url,
        selected: false,
        state: 'missing',
        source: null,
        from: null,
        lastFour: null,
        storedAt: null,
        access: null,
        expiresAt: null,
        reason: 'There is no API key for production',
      },
      {
        environment: 'staging',
        url: staging.url,
        selected: true,
        state: 'unchecked',
        source: 'keychain',
        from: 'the OS keychain',
        lastFour: end,
        storedAt: clock.toISOString(),
        access: 'write',
        expiresAt: null,
        reason: null,
      },
    ]);
  });

  it('folds a long reason on a screen, and not in a pipe', async () => {
    const { run, staging, production } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const end = staging.key.slice(-4);
    const keychain = createFakeKeychain({ locked });
    const screen = await run('auth status --all', { keychain, tty: true, columns: 100 });
    expect(screen).toEqual({
      stdout: [
        '   ENVIRONMENT  STATE    ENDING  ACCESS  FROM      REASON                  URL',
        `   production   missing  -       -       -         There is no API key     ${production.url}`,
        '                                                   for production',
        `*  staging      locked   ${end}    write   keychain  The OS keychain did     ${staging.url}`,
        '                                                   not hand over the API',
        '                                                   key of staging: it is',
        '                                                   locked, or the key was',
        '                                                   removed there',
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

  it.each([
    ['missing', {}, 4],
    ['rejected', { PETSTORE_PRODUCTION_API_KEY: 'unknown-key-a1b2' }, 4],
    ['in an environment without a URL', { PETSTORE_PRODUCTION_URL: '' }, 0],
    ['at a service that is not there', { PETSTORE_PRODUCTION_URL: 'http://127.0.0.1:9/v1' }, 8],
  ])('--all --check with a key that is %s', async (_, given, exitCode) => {
    const { run, staging } = machine;
    await run('auth login --key-stdin', { stdin: staging.key });
    const key = { PETSTORE_PRODUCTION_API_KEY: exitCode === 8 ? 'some-key-a1b2' : '' };
    const result = await run('auth status --all --check --retries 0', {
      env: { ...key, ...given },
    });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stdout).toContain('*  staging      ok ');
  });
});

describe('a key of another URL', () => {
  const moved = 'http://127.0.0.1:9/v1';

  async function moveStaging(source: 'config' | 'variable') {
    const { run, staging } = machine;
    const env = { PETSTORE_STAGING_URL: '' };
    await run(`env set staging --url ${staging.url}`, { env });
    await run('auth login --key-stdin', { env, stdin: staging.key });
    if (source === 'config') await run(`env set staging --url ${moved}`, { env });
    const then = source === 'config' ? env : { PETSTORE_STAGING_URL: moved };
    return (line: string) => run(line, { env: then });
  }

  it.each(['config', 'variable'] as const)(
    'is said by list, status and doctor, with both URLs and both ways out (%s)',
    async (source) => {
      const run = await moveStaging(source);
      const { url, key } = machine.staging;
      const lines = [
        'The key of staging is for another URL',
        `stored 2026-11-20 for ${url}, ending ${key.slice(-4)}`,
        `the URL of staging is now ${moved}`,
        'petstore auth login --env staging',
        source === 'config'
          ? `petstore env set staging --url ${url}`
          : `export PETSTORE_STAGING_URL=${url}`,
      ];
      for (const line of ['list', 'auth status', 'auth status --all', 'doctor --offline']) {
        const { stdout, stderr, exitCode } = await run(line);
        for (const text of lines) expect(stdout + stderr).toContain(text);
        expect({ line, exitCode }).toEqual({
          line,
          exitCode: line === 'auth status --all' ? 0 : 4,
        });
      }
    },
  );

  it('is a warning of --all for scripts', async () => {
    const run = await moveStaging('config');
    const { stderr } = await run('auth status --all --json');
    expect(JSON.parse(stderr)).toMatchObject({
      ...{
        type: 'warning',
        environment: 'staging',
        message: 'The key of staging is for another URL',
      },
      details: expect.arrayContaining(['Try: petstore auth login --env staging']),
    });
  });

  it('works again after going back', async () => {
    const run = await moveStaging('config');
    await run(`env set staging --url ${machine.staging.url}`);
    expect((await run('list --count')).exitCode).toBe(0);
  });
});
