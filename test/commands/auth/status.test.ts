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
        'ENVIRONMENT  STATE      SOURCE    ENDING  ACCESS  ENDS  FROM             REASON\n' +
        `staging      unchecked  keychain  ${end}    write   -     the OS keychain  -\n`,
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
        access: null,
        expiresAt: null,
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
        access: 'write',
        expiresAt: null,
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
        'ENVIRONMENT  STATE    SOURCE    ENDING  ACCESS  ENDS  FROM  REASON',
        'production   missing  -         -       -       -     -     There is no API key for production',
        `staging      locked   keychain  ${end}    write   -     -     The OS keychain did not hand over the`,
        '                                                            API key of staging: it is locked, or the',
        '                                                            key was removed there',
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
