import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { checkClock } from '../../src/commands/doctor/diagnose.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { createKeyring } from '../support/keyring.ts';
import { canMount } from '../support/mount-namespace.ts';
import { startRawServer } from '../support/raw-server.ts';
import { connectTo, petstoreCommand, runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { itOnPosix } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { runInTerminal } from '../support/terminal-session.ts';

const service = await openTestService();
afterAll(service.close);
const good = connectTo(service);

it('says in one line that everything works', async () => {
  const terminal = await runInTerminal('petstore doctor', { variables: good });
  const screen = await terminal.waitForEnd();
  expect(screen).toMatch(
    /^ready> petstore doctor\nEverything works: staging at \S+, key ends \w{4}, \d+ ms\.\nexit 0\nready>$/,
  );
});

it('says with -v where each setting is from', async () => {
  const { stdout } = await runPetstore('doctor -v', { variables: good });
  for (const text of [
    'ok: config: ',
    `ok: environment: staging at ${service.url} (PETSTORE_STAGING_URL)`,
    'ok: proxy: none',
    'from PETSTORE_STAGING_API_KEY',
    'ok: service: responds',
  ]) {
    expect(stdout).toContain(text);
  }
});

itOnPosix('names with -v every place where something is stored', async () => {
  const home = await createTemporaryFolder();
  const [config, state, cache] = ['config', 'state', 'cache'].map((name) => path.join(home, name));
  const variables = {
    ...{ ...good, XDG_CONFIG_HOME: `${config}`, XDG_STATE_HOME: `${state}` },
    ...{ XDG_CACHE_HOME: `${cache}`, PETSTORE_CATEGORIES: `${home}/shared.csv` },
  };
  const { stdout } = await runPetstore('doctor -v', { variables });
  expect(stdout.match(/^Stored: .*/gm)).toEqual([
    `Stored: settings: ${config}/petstore/config.json`,
    `Stored: keys: the OS keychain, else ${config}/petstore/keys.json`,
    `Stored: category names: ${home}/shared.csv`,
    `Stored: records of imports: ${state}/petstore/imports`,
    `Stored: compiled code: ${cache}/petstore`,
  ]);
  expect((await runPetstore('doctor', { variables })).stdout).not.toContain('Stored');
});

describe('each problem is said once, with its cure, and is exit 1', () => {
  const withGood = (variables: Record<string, string>) => () => ({ ...good, ...variables });
  itOnPosix.each<[string, () => Record<string, string>, string]>([
    ['nothing is set up', () => ({}), 'petstore login --help'],
    ['no key', () => ({ PETSTORE_STAGING_URL: service.url }), 'petstore login --env staging'],
    [
      'a wrong key in a variable',
      withGood({ PETSTORE_STAGING_API_KEY: 'another-key' }),
      'unset PETSTORE_STAGING_API_KEY',
    ],
    ['an unknown environment', withGood({ PETSTORE_ENV: 'stagign' }), 'unset PETSTORE_ENV'],
  ])('%s', async (_, variables, next) => {
    const { stdout, exitCode } = await runPetstore('doctor', { variables: variables() });
    expect(exitCode).toBe(1);
    expect(stdout.match(/^Problem: /gm)).toHaveLength(1);
    expect(stdout).toContain(`  Try:  ${next}\n`);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a bad address', { PETSTORE_STAGING_URL: 'http://pets.test' }, 'use https'],
    ['nothing at the address', { PETSTORE_STAGING_URL: '127.0.0.1:1' }, 'nothing listens there'],
    ['an unknown host', { PETSTORE_STAGING_URL: 'pets.invalid' }, 'there is no host of this name'],
    [
      'a proxy that does not respond',
      { PETSTORE_STAGING_URL: 'pets.test', HTTPS_PROXY: '127.0.0.1:1' },
      'The proxy 127.0.0.1:1 cannot be used: nothing listens there.',
    ],
    [
      'a proxy that is none',
      { PETSTORE_STAGING_URL: 'pets.test', HTTPS_PROXY: 'socks5://x' },
      'not an HTTP proxy',
    ],
  ])('%s', async (_, variables, message) => {
    const run = await runPetstore('doctor', { variables: { ...good, ...variables } });
    expect(run.exitCode).toBe(1);
    expect(run.stdout.match(/^Problem: /gm)).toHaveLength(1);
    expect(run.stdout).toContain(message);
  });

  it('another program at the address', async () => {
    const { url } = await startHttpServer(respondJson(200, '{}'));
    const variables = { ...good, PETSTORE_STAGING_URL: url };
    const { stdout } = await runPetstore('doctor', { variables });
    expect(stdout).toContain('did not respond as a pet store');
    expect(stdout).toContain('the address is from PETSTORE_STAGING_URL');
  });

  it('an http address where the port is for https', async () => {
    const { port } = await startRawServer((socket) => socket.destroy());
    const variables = { ...good, PETSTORE_STAGING_URL: `http://127.0.0.1:${port}` };
    const { stdout, exitCode } = await runPetstore('doctor', { variables });
    expect(stdout).toContain('where the port is for https, the address begins with https://');
    expect(exitCode).toBe(1);
  });

  it('a broken config file', async () => {
    const home = await createTemporaryFolder();
    await writeFile(path.join(home, 'config.json'), '{');
    const variables = { ...good, PETSTORE_CONFIG_DIR: home };
    const { stdout, exitCode } = await runPetstore('doctor', { variables });
    expect({ stdout, exitCode }).toEqual({
      stdout: expect.stringContaining('it is not valid JSON (line 1)'),
      exitCode: 1,
    });
  });

  it('a keychain that does not respond', async () => {
    const keyring = await createKeyring();
    const folder = await createTemporaryFolder();
    const keys = { [new URL(service.url).origin]: { storage: 'keychain', ending: '9f2a' } };
    await writeFile(
      path.join(folder, 'config.json'),
      JSON.stringify({ environments: { staging: { url: service.url, keys } } }),
    );
    keyring.freeze();
    const variables = { ...keyring.variables, PETSTORE_CONFIG_DIR: folder };
    const { stdout } = await runPetstore('doctor', { variables });
    expect(stdout).toContain('The OS keychain did not respond within 3 s.');
    expect(stdout).toContain('Try:  petstore login --env staging\n');
  });
});

it('is an array of findings for scripts', async () => {
  const { stdout } = await runPetstore('doctor --json', { variables: good });
  expect(JSON.parse(stdout)).toContainEqual({
    check: 'environment',
    state: 'ok',
    message: `staging at ${service.url} (PETSTORE_STAGING_URL)`,
  });
});

it.each(['--json', '--ndjson', '--csv'])(
  'with problems is exit 1 for scripts, too: %s',
  async (format) => {
    const variables = { PETSTORE_STAGING_URL: service.url };
    const { stdout, stderr, exitCode } = await runPetstore(`doctor ${format}`, { variables });
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining('One problem found.'),
      exitCode: 1,
    });
    expect(stdout).toContain('problem');
  },
);

describe('the clock, where it is ten at the service', () => {
  const checkAt = (now: string) => checkClock(new Date('2026-11-25T10:00:00Z'), new Date(now));

  it('may be a minute off', () => {
    expect(checkAt('2026-11-25T10:00:59Z')).toBe('2026-11-25T10:00:59.000Z');
  });

  it.each([
    ['2026-11-25T10:07:00Z', '7 minutes ahead of'],
    ['2026-11-25T15:00:00Z', '5 hours ahead of'],
    ['2026-11-25T09:53:00Z', '7 minutes behind'],
  ])('is wrong at %s: %s', (now, words) => {
    expect(() => checkAt(now)).toThrow(words);
  });
});

// As in a container: without HOME, and without an entry for this user.
describe.skipIf(!canMount())('a user of whom nothing is known', () => {
  it.each([
    ['doctor', 1, 'environment: No environment is set up.'],
    ['env set till --url https://pets.test', 2, 'set HOME, or PETSTORE_CONFIG_DIR'],
  ])('%s', async (line, code, words) => {
    const asUnknown = ['--user', '--map-user=54321', '--map-group=54321', ...petstoreCommand];
    const options = { cwd: '/', env: { PATH: process.env.PATH } };
    const run = promisify(execFile)('unshare', [...asUnknown, ...line.split(' ')], options);
    const error = await run.catch((error) => error);
    expect(error).toMatchObject({ code });
    expect(error.stdout + error.stderr).toContain(words);
  });
});
