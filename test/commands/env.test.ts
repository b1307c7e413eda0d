import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, changeConfig } from '../../src/config/config-file.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { createKeyring } from '../support/keyring.ts';
import { runPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { describeHome, itOnLinux, itOnPosix } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { runInTerminal } from '../support/terminal-session.ts';

const service = await openTestService();
afterAll(service.close);
const expiresAt = new Date('2030-11-28T12:00:00Z');
const readOnlyKey = await service.createKey({ name: 'reader', access: 'read', expiresAt });

async function createHome(config: Config = {}) {
  const home = await createTemporaryFolder();
  await changeConfig(describeHome(home), () => config);
  const readConfig = async (): Promise<unknown> =>
    JSON.parse(await readFile(path.join(home, '.config/petstore/config.json'), 'utf8'));
  const run = (line: string, variables: Record<string, string> = {}) =>
    runPetstore(line, { home, variables });
  return { home, readConfig, run };
}

describe('env', () => {
  it('shows on 80 columns where each environment is and whether it can be used', async () => {
    const { home } = await createHome({
      environment: 'staging',
      environments: {
        staging: { url: service.url },
        production: { url: service.url },
        old: { url: 'http://127.0.0.1:1/v1' },
        broken: { url: 'ftp://pets.test' },
        empty: { url: 'https://pets.invalid/v1' },
      },
    });
    const terminal = await runInTerminal('petstore env', {
      home,
      variables: {
        PETSTORE_STAGING_API_KEY: service.key,
        PETSTORE_PRODUCTION_API_KEY: readOnlyKey,
        PETSTORE_OLD_API_KEY: 'a-key-of-old',
      },
    });
    const screen = (await terminal.waitForEnd())
      .replaceAll(/127\.0\.0\.1:\d+/g, (host) => 'localhost'.padEnd(host.length))
      .replaceAll(service.key.slice(-4), 'ABCD')
      .replaceAll(readOnlyKey.slice(-4), 'WXYZ');
    expect(screen.replaceAll(/ +/g, ' ')).toBe(
      [
        'ready> petstore env',
        ' NAME URL PROTECTED KEY ACCESS EXPIRES STATE',
        ' broken - - - - - bad address',
        ' empty pets.invalid no - - - no key',
        ' old localhost no -old - - unreachable',
        ' production localhost yes WXYZ read 28 Nov 2030 read-only',
        '* staging localhost yes ABCD write - ok',
        'exit 0',
        'ready>',
      ].join('\n'),
    );
  });

  it.each<[string, Record<string, string>, string]>([
    ['no key', {}, 'There is no API key for staging.'],
    ['rejected', { PETSTORE_API_KEY: 'another-key' }, 'The API key for staging was not accepted.'],
  ])('is exit 4 where the selected one is %s', async (state, variables, message) => {
    const { run } = await createHome({ environments: { staging: { url: service.url } } });
    const { stdout, stderr, exitCode } = await run('env --json', variables);
    expect({ exitCode, error: JSON.parse(stderr).message }).toEqual({
      exitCode: 4,
      error: message,
    });
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ name: 'staging', selected: true, state }),
    );
  });

  it('is exit 0 with a read-only key, with which commands work', async () => {
    const { run } = await createHome({ environments: { staging: { url: service.url } } });
    const reader = { PETSTORE_API_KEY: readOnlyKey };
    expect(await run('env -o csv --fields name,state', reader)).toMatchObject({
      stdout: 'name,state\nproduction,no address\nstaging,read-only\n',
      stderr: '',
      exitCode: 0,
    });
  });

  itOnPosix('advises a line that works while PETSTORE_ENV names none', async () => {
    const { run } = await createHome();
    const { stderr } = await run('env', { PETSTORE_ENV: 'stagign' });
    expect(stderr).toContain('Try:  unset PETSTORE_ENV');
  });

  itOnPosix('advises a line that works while a variable overrides the stored key', async () => {
    const { run } = await createHome({ environments: { staging: { url: service.url } } });
    const { stderr } = await run('env', { PETSTORE_API_KEY: 'another-key' });
    expect(stderr).toContain('Try:  unset PETSTORE_API_KEY');
  });

  it('asks nobody with --offline', async () => {
    const { run } = await createHome({
      environments: { staging: { url: 'https://pets.invalid' } },
    });
    expect(await run('env --offline --csv')).toMatchObject({
      stdout:
        'name,selected,url,protected,key\nproduction,false,,,\nstaging,true,https://pets.invalid/v1,false,\n',
      exitCode: 0,
    });
  });

  it.each(['env --offline', 'env list --offline', 'env --offline list'])(
    'sends nothing as %s',
    async (line) => {
      const requests: unknown[] = [];
      const { url } = await startHttpServer((request, response) => {
        requests.push(request.url);
        respondJson(200, '[]')(request, response);
      });
      const { run } = await createHome({ environments: { staging: { url } } });
      const { stdout, exitCode } = await run(`${line} --json`, { PETSTORE_API_KEY: 'a-key' });
      expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
      expect(stdout).not.toContain('"state"');
    },
  );

  it.each<[string, Record<string, string>, string]>([
    ['unreachable', { HTTPS_PROXY: 'socks5://x' }, 'The proxy in HTTPS_PROXY is not an HTTP'],
    ['bad key', { PETSTORE_API_KEY: '"a-key"' }, 'is in quotation marks'],
    ['bad key', { PETSTORE_API_KEY: '', PETSTORE_API_KEY_FILE: '/nothing/here' }, 'no such file'],
  ])('says %s, and why, with %j', async (state, variables, reason) => {
    const { run } = await createHome({
      environments: { staging: { url: 'https://pets.invalid' } },
    });
    const { stdout, stderr } = await run('env --csv --fields name,state', {
      PETSTORE_API_KEY: 'a-key',
      ...variables,
    });
    expect(stdout).toContain(`staging,${state}\n`);
    // Windows makes no difference between https_proxy and HTTPS_PROXY.
    expect(stderr.toLowerCase()).toContain(reason.toLowerCase());
  });

  itOnPosix(
    'says bad key where others can read the key file, with the line that mends it',
    async () => {
      const keys = { [new URL(service.url).origin]: { storage: 'file', ending: '9f2a' } } as const;
      const { home, run } = await createHome({
        environments: { staging: { url: service.url, keys } },
      });
      await writeFile(path.join(home, '.config/petstore/keys.json'), '{}', { mode: 0o644 });
      const { stdout, stderr } = await run('env --csv --fields name,state');
      expect(stdout).toContain('staging,bad key\n');
      expect(stderr).toContain(`Try:  chmod 600 ${home}/.config/petstore/keys.json`);
    },
  );

  it('still shows where one is whose address was in a variable when it was selected', async () => {
    const { run } = await createHome();
    const variables = { PETSTORE_TILL_URL: service.url, PETSTORE_TILL_API_KEY: service.key };
    expect((await run('env use till', variables)).exitCode).toBe(0);
    const { stdout, stderr, exitCode } = await run('env --csv --fields name,selected,state');
    expect(stdout).toContain('till,true,no address\n');
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining('till has no address.'),
      exitCode: 4,
    });
    expect((await run('env remove till')).exitCode).toBe(0);
    expect((await run('env --offline')).exitCode).toBe(0);
  });

  it('of twelve environments waits once for a keychain that hangs', async () => {
    const keyring = await createKeyring();
    // One after another would take longer than a test may.
    const names = [...'abcdefghijkl'];
    const keys = {
      [new URL(service.url).origin]: { storage: 'keychain', ending: '9f2a' },
    } as const;
    const environments = Object.fromEntries(
      names.map((name) => [name, { url: service.url, keys }]),
    );
    const { run } = await createHome({ environment: 'a', environments });
    keyring.freeze();
    const { stdout, exitCode } = await run('env -o csv --fields name,key,state', keyring.variables);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('a,9f2a,keychain hangs\nb,9f2a,keychain hangs\n');
  });

  it('says locked where a key was stored and the keychain does not return it', async () => {
    const keyring = await createKeyring();
    const keys = {
      [new URL(service.url).origin]: { storage: 'keychain', ending: '9f2a' },
    } as const;
    const { run } = await createHome({ environments: { staging: { url: service.url, keys } } });
    await keyring.lock();
    const { stdout, exitCode } = await run('env -o csv --fields name,state', keyring.variables);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'name,state\nproduction,no address\nstaging,locked\n',
      exitCode: 4,
    });
  });
});

describe('env use', () => {
  it('selects, silently', async () => {
    const { run, readConfig } = await createHome({
      environments: { staging: { url: service.url } },
    });
    expect(await run('env use staging')).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
    expect(await readConfig()).toMatchObject({ environment: 'staging' });
  });

  it.each([
    ['nobody', 'There is no environment called "nobody".', 'petstore env'],
    ['production', 'production has no address yet.', 'petstore login --env production'],
  ])('%s is refused: %s', async (name, message, next) => {
    const { run } = await createHome();
    const { stderr, exitCode } = await run(`env use ${name}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(stderr).toContain(`Try:  ${next}`);
  });

  it('warns where a variable overrides it', async () => {
    const { run } = await createHome({ environments: { staging: { url: service.url } } });
    const { stderr } = await run('env use staging', { PETSTORE_ENV: 'production' });
    expect(stderr).toContain('PETSTORE_ENV is set, and overrides it with production.');
  });
});

describe('env set', () => {
  it('adds an environment by an address as people type it', async () => {
    const { run, readConfig } = await createHome();
    expect(await run('env set till-3 --url pets.test --protected')).toMatchObject({
      stderr: '',
      exitCode: 0,
    });
    expect(await readConfig()).toEqual({
      environments: { 'till-3': { url: 'https://pets.test/v1', protected: true } },
    });
  });

  it.each([
    ['env set till-3', 'What should be set'],
    ['env set Till --url pets.test', 'cannot name an environment'],
    ['env set till --url pets.example.com', 'only an example'],
  ])('%s is exit 2: %s', async (line, message) => {
    const { run } = await createHome();
    expect(await run(line)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('gives up protection only when that is confirmed', async () => {
    const { run, readConfig } = await createHome();
    const refused = await run('env set production --no-protected');
    expect(refused.exitCode).toBe(3);
    const line = /Try: {2}petstore (.*)/.exec(refused.stderr)?.[1] ?? '';
    expect(line).toBe('env set production --no-protected --confirm production');
    expect((await run(line)).exitCode).toBe(0);
    expect(await readConfig()).toEqual({ environments: { production: { protected: false } } });
  });

  it('gives up no protection that is confirmed for another environment', async () => {
    const config: Config = { environments: { production: { url: 'https://pets.test/v1' } } };
    const { run, readConfig } = await createHome(config);
    const { exitCode } = await run('env set production --no-protected --confirm staging');
    expect(exitCode).toBe(3);
    expect(await readConfig()).toEqual(config);
  });
});

it.each([
  [
    'set production --no-protected',
    'need a confirmation. Turn off its',
    'Stopped; production is still protected.\nexit 3',
  ],
  [
    'set till --url new.test',
    'The stored key of till is for pets.test, not for new.test. Change the\n',
    'Stopped; nothing was changed.\nexit 3',
  ],
  ['remove till', 'Remove the address and the stored key of till', 'exit 3'],
])('env %s asks on a terminal, where Enter is no', async (line, question, end) => {
  const url = 'https://pets.test/v1';
  const keys = { 'https://pets.test': { storage: 'file', ending: '9f2a' } } as const;
  const environments = { production: { url }, till: { url, keys } };
  const config: Config = { environment: 'till', environments };
  const { home, readConfig } = await createHome(config);
  const terminal = await runInTerminal(`petstore env ${line}`, { home });
  await terminal.answer(question);
  expect(await terminal.waitForEnd()).toContain(end);
  expect(await readConfig()).toEqual(config);
});

describe('env set --url, where the stored key is for another address', () => {
  const keys = { 'https://old.test': { storage: 'file', ending: '9f2a' } } as const;
  const config: Config = { environments: { till: { url: 'https://old.test/v1', keys } } };

  it('removes it in a script, silently', async () => {
    const { run, readConfig } = await createHome(config);
    expect(await run('env set till --url new.test')).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await readConfig()).toEqual({
      environments: { till: { url: 'https://new.test/v1', keys: {} } },
    });
  });
});

it('env set --url keeps the stored key where only the path changes', async () => {
  const keys = { 'https://pets.test': { storage: 'file', ending: '9f2a' } } as const;
  const till = { url: 'https://pets.test/v1', keys };
  const { run, readConfig } = await createHome({ environments: { till } });
  expect(await run('env set till --url pets.test/shop')).toMatchObject({ stderr: '', exitCode: 0 });
  expect(await readConfig()).toEqual({
    environments: { till: { url: 'https://pets.test/shop/v1', keys } },
  });
});

describe('env remove', () => {
  const config: Config = {
    environment: 'till',
    environments: { till: { url: 'https://pets.test/v1' } },
  };

  itOnLinux('forgets a key of a keychain that is gone, and says so', async () => {
    const keys = { 'https://pets.test': { storage: 'keychain', ending: '9f2a' } } as const;
    const { run, readConfig } = await createHome({ environments: { till: { keys } } });
    const { stderr, exitCode } = await run('env remove till');
    expect({ stderr, exitCode }).toEqual({
      stderr: 'This computer has no keychain to remove the key from; petstore no longer uses it.\n',
      exitCode: 0,
    });
    expect(await readConfig()).toEqual({ environments: {} });
  });

  it('removes in a script, silently', async () => {
    const { run, readConfig } = await createHome(config);
    expect(await run('env remove till')).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
    expect(await readConfig()).toEqual({ environments: {} });
  });
});

describe('a write to a place that is protected under another name', () => {
  const production = { production: { url: 'http://localhost:1/v1' } };
  const add = 'add Rex --category 7 -e staging';

  const variables = { PETSTORE_STAGING_URL: '127.0.0.1:1', PETSTORE_API_KEY: 'a-key' };
  itOnPosix.each([add, `${add} --confirm staging`])(
    'through a variable advises to unset it, never the line that would write there: %s',
    async (line) => {
      const { run } = await createHome({ environments: production });
      const { stderr, exitCode } = await run(line, variables);
      expect(exitCode).toBe(3);
      expect(stderr).toContain('this is the address of production');
      expect(stderr).toMatch(/Try: {2}unset PETSTORE_STAGING_URL\n$/);
    },
  );

  it('through a variable is not offered to whoever confirms by that name', async () => {
    const { run } = await createHome({ environments: production });
    const line = 'add Rex --category 7 -e production --confirm staging';
    const { stderr, exitCode } = await run(line, variables);
    expect(exitCode).toBe(3);
    expect(stderr).not.toContain('--confirm staging\n');
  });

  it('by its own setting is confirmed by its own name, and says whose address it is', async () => {
    const staging = { url: 'http://[::1]:1/v1' };
    const { run } = await createHome({ environments: { ...production, staging } });
    const { stderr, exitCode } = await run(add, { PETSTORE_API_KEY: 'a-key' });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('this is the address of production');
    expect(stderr).toContain('--confirm staging');
  });
});

it('env goes to a store by its name, and back to the one before', async () => {
  const home = await createTemporaryFolder();
  const run = (line: string) => runPetstore(line, { home });
  for (const name of ['staging', 'production'])
    await run(`env set ${name} --url https://${name}.pets.test`);
  const readSelected = async () =>
    JSON.parse((await run('whoami --offline --json')).stdout)
      .filter(({ selected }: { selected: boolean }) => selected)
      .map(({ name }: { name: string }) => name);
  await run('env staging');
  expect(await readSelected()).toEqual(['staging']);
  await run('env use production');
  await run('env use -');
  expect(await readSelected()).toEqual(['staging']);
  expect(await run('env set default --url pets.test')).toMatchObject({ exitCode: 2 });
});
