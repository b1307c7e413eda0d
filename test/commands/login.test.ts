import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, changeConfig } from '../../src/config/config-file.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { createKeyring } from '../support/keyring.ts';
import { runPetstore, startPetstore } from '../support/run-petstore.ts';
import { openTestService } from '../support/service.ts';
import { describeHome, itOnLinux } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import {
  openTerminalSession,
  runInTerminal,
  type TerminalSession,
} from '../support/terminal-session.ts';

const service = await openTestService({ pets: [{ name: 'Goldie', categoryId: 7n }] });
afterAll(service.close);

const address = () => new URL(service.url).host;
const hideAddress = (screen: string) =>
  screen.replaceAll(/127\.0\.0\.1:\d+/g, 'localhost').replaceAll(/\*+(?:\n\*+)?/g, '***');

async function readHome(home: string) {
  const folder = path.join(home, '.config/petstore');
  const config = JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8'));
  return { folder, config };
}

/** Answers the address with two mistakes first, and the key with three. */
async function answer(terminal: TerminalSession): Promise<void> {
  await terminal.answer('? Address of your pet store', service.key);
  // It would stay where others can read it.
  expect(await terminal.waitForText(/This is an API key.*\n\? Address[^:]*$/)).not.toContain(
    'pst_',
  );
  await terminal.enter('http://pets.test');
  await terminal.waitForText('use https');
  await terminal.press('C-u');
  await terminal.enter('127.0.0.1:1');
  await terminal.waitForText('nothing listens there');
  await terminal.press('C-u');
  await terminal.enter(address());
  await terminal.answer('? API key for', 'two words');
  await terminal.answer('has a space at position 4.\n? API key', service.key.slice(0, -1));
  await terminal.answer('or has a typing mistake.\n? API key', 'another-key');
  await terminal.answer('did not accept the API key.\n? API key', service.key);
  await terminal.waitForText('? Which store is it?');
}

describe('first use', () => {
  it('of another environment, by --env, leaves the selected one as it is', async () => {
    const terminal = await openTerminalSession();
    await changeConfig(describeHome(terminal.home), () => ({
      environment: 'production',
      environments: { production: { url: service.url } },
      keyStorage: 'file',
    }));
    await terminal.run('petstore list --env staging');
    await terminal.answer('? Address of your pet store', address());
    await terminal.answer('? API key for', service.key);
    expect(await terminal.waitForEnd()).toContain('Goldie');
    expect((await readHome(terminal.home)).config).toMatchObject({ environment: 'production' });
  });

  it('asks for address, key and store, stores them in the keychain, and goes on', async () => {
    const keyring = await createKeyring();
    const terminal = await openTerminalSession({ variables: keyring.variables });
    await terminal.run('petstore list');
    await answer(terminal);
    await terminal.press('Down', 'Enter');
    expect(hideAddress(await terminal.waitForEnd())).toContain(
      [
        'read on its way; use https (http is for this computer only).',
        'localhost cannot be reached: nothing listens there.',
        '✔ Address of your pet store localhost',
        'The API key has a space at position 4.',
        'The API key is not complete, or has a typing mistake.',
        'localhost did not accept the API key.',
        '✔ API key for localhost (not shown; Enter alone: another address)',
        '***',
        '✔ Which store is it? the real store',
        'Signed in to production (localhost).',
        'production at localhost, protected',
        'ID  NAME    CATEGORY  STATUS',
        ' 1  Goldie         7  available',
        'exit 0',
        'ready>',
      ].join('\n'),
    );
    expect(await keyring.lookUp(`production@${new URL(service.url).origin}`)).toBe(service.key);
    expect((await readHome(terminal.home)).config).toMatchObject({ environment: 'production' });
  });

  itOnLinux('offers a private file where there is no keychain, and remembers it', async () => {
    const terminal = await openTerminalSession();
    await terminal.run('petstore login');
    await answer(terminal);
    await terminal.answer('❯ a store to try things in');
    await terminal.answer('This computer has no keychain. Keep the key in a private file?');
    await terminal.waitForText('Signed in to staging');
    await terminal.waitForEnd();
    const { folder, config } = await readHome(terminal.home);
    expect(config).toMatchObject({ environment: 'staging', keyStorage: 'file' });
    expect((await stat(path.join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);
    expect((await runPetstore('list -o ids', { home: terminal.home })).stdout).toBe('1\n');
  });

  it('goes on with a key that is not to be stored', async () => {
    const terminal = await openTerminalSession();
    await terminal.run('petstore list');
    await terminal.answer('? Address of your pet store');
    await terminal.answer('Type the address, such as pets.test', address());
    await terminal.answer('? API key for', service.key);
    await terminal.answer('? Which store is it?');
    await terminal.answer('Keep the key in a private file? (Y/n)', 'n');
    const shown = await terminal.waitForEnd();
    expect(shown).toContain('The key is not stored: it is used for this command only.');
    expect(shown).toMatch(/Goldie[\s\S]*exit 0/);
    const { config, folder } = await readHome(terminal.home);
    expect(config).toMatchObject({ environment: 'staging' });
    await expect(stat(path.join(folder, 'keys.json'))).rejects.toThrow('ENOENT');
  });

  it('tells nothing of a short key that is not stored, also when it is revoked at once', async () => {
    const [accept, refuse] = [
      respondJson(200, '[]'),
      respondJson(401, JSON.stringify({ code: 'unauthorized', message: 'no', status: 401 })),
    ];
    let accepted = 0;
    const server = await startHttpServer((request, response) => {
      if (request.headers.authorization !== undefined) accepted += 1;
      (accepted < 2 ? accept : refuse)(request, response);
    });
    const terminal = await openTerminalSession();
    await terminal.run('petstore list');
    await terminal.waitForText('? Address of your pet store');
    await terminal.enter(new URL(server.url).host);
    await terminal.waitForText('? API key for');
    await terminal.enter('s3cret7');
    await terminal.waitForText('? Which store is it?');
    await terminal.press('Enter');
    await terminal.waitForText('Keep the key in a private file? (Y/n)');
    await terminal.enter('n');
    const shown = await terminal.waitForEnd();
    expect(shown).toContain('key from this sign-in, ending ****');
  });

  it('goes back to the address once two keys were refused', async () => {
    const terminal = await openTerminalSession();
    await terminal.run('petstore list');
    await terminal.answer('? Address of your pet store', address());
    for (const at of [1, 2]) {
      await terminal.answer(/\? API key[^?]*\(not shown\)$/, 'a-wrong-key');
      await terminal.waitForText(new RegExp(`(?:did not accept[^?]*){${at}}\\? API key`));
    }
    await terminal.answer('Enter alone: another');
    await terminal.waitForText(new RegExp(`\\? Address of your pet store ${address()}$`));
  });

  it('that is stopped changes nothing', async () => {
    const terminal = await openTerminalSession();
    await terminal.run('petstore list');
    await terminal.answer('? Address of your pet store', address());
    await terminal.waitForText('? API key for');
    await terminal.press('C-c');
    await terminal.waitForText('Stopped; nothing was changed.');
    expect(await terminal.waitForEnd()).toContain('exit 130');
    await expect(readHome(terminal.home)).rejects.toThrow('ENOENT');
  });

  it('is no conversation where nobody can answer', async () => {
    expect(await runPetstore('list --json')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^\{"code":"cli_no_url",.*"exitCode":2,.*\}\n$/),
      exitCode: 2,
    });
  });
});

describe('a new address for a store that has a key', () => {
  const keys = { 'https://old.test': { storage: 'file', ending: '9f2a' } } as const;
  const config: Config = {
    environments: { production: { url: 'https://old.test/v1', keys } },
    keyStorage: 'file',
  };

  it('is asked about, where Enter is no', async () => {
    const terminal = await openTerminalSession();
    await changeConfig(describeHome(terminal.home), () => config);
    await terminal.run(`petstore login -e production --url ${address()}`);
    await terminal.answer('? API key for', service.key);
    await terminal.answer('The stored key of production is for old.test');
    expect(await terminal.waitForEnd()).toContain('Stopped; nothing was changed.');
    expect((await readHome(terminal.home)).config).toEqual(config);
  });

  it('names the variable that would override the key once the store is known', async () => {
    const terminal = await openTerminalSession({
      variables: { PETSTORE_STAGING_API_KEY: 'a-key-of-mine' },
    });
    await changeConfig(describeHome(terminal.home), () => config);
    await terminal.run(`petstore login --url ${address()}`);
    await terminal.answer('? API key for', service.key);
    await terminal.waitForText('? Which store is it?');
    // The one that is free.
    await terminal.press('Enter');
    const screen = await terminal.waitForEnd();
    expect(screen).toContain('PETSTORE_STAGING_API_KEY is set, and overrides');
    expect(screen).toContain('Signed in to staging');
  });
});

it('names a variable that overrides the key once', async () => {
  const terminal = await openTerminalSession({ variables: { PETSTORE_API_KEY: service.key } });
  await changeConfig(describeHome(terminal.home), () => ({ keyStorage: 'file' }));
  await terminal.run('petstore list');
  await terminal.answer('? Address of your pet store', address());
  await terminal.answer('? API key for', service.key);
  await terminal.answer('? Which store is it?');
  const screen = await terminal.waitForEnd();
  expect(screen.match(/PETSTORE_API_KEY is set/g)).toHaveLength(1);
});

it('does not ask for a key that a variable would override', async () => {
  const variables = { PETSTORE_STAGING_URL: address(), PETSTORE_API_KEY: '"a-key"' };
  const terminal = await openTerminalSession({ variables });
  await terminal.run('petstore list');
  expect(await terminal.waitForEnd()).toMatch(/is in quotation marks(.|\n)*exit 4/);
});

describe('login selects', () => {
  const url = 'https://pets.test/v1';
  it.each<[string, Config, string]>([
    ['a new store', { environment: 'production', environments: { production: { url } } }, 'till'],
    [
      'not a store it knows',
      { environment: 'production', environments: { production: { url }, till: { url } } },
      'production',
    ],
    ['a store it knows where none is selected', { environments: { till: { url } } }, 'till'],
  ])('%s', async (_, config, expected) => {
    const variables = { PETSTORE_CONFIG_DIR: await createTemporaryFolder() };
    await changeConfig(variables, () => ({ ...config, keyStorage: 'file' }));
    const words = `login -e till --url ${address()} --key-stdin`;
    expect((await runPetstore(words, { variables, stdin: service.key })).stderr).toBe('');
    const file = path.join(variables.PETSTORE_CONFIG_DIR, 'config.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ environment: expected });
  });
});

it('a new key for a known store leaves the selection, and the prompt names the store', async () => {
  const terminal = await openTerminalSession();
  await changeConfig({ HOME: terminal.home }, () => ({
    environment: 'production',
    environments: {
      production: { url: 'https://pets.test/v1' },
      staging: { url: service.url },
    },
    keyStorage: 'file',
  }));
  await terminal.run('petstore login -e staging');
  await terminal.answer(`? API key for staging at ${address()} (not shown)`, service.key);
  await terminal.waitForText('Signed in to staging');
  await terminal.waitForEnd();
  expect((await readHome(terminal.home)).config).toMatchObject({ environment: 'production' });
});

it('a key that cannot be stored because the keychain is locked is used once', async () => {
  const keyring = await createKeyring();
  await keyring.lock();
  const terminal = await openTerminalSession({ variables: keyring.variables });
  await terminal.run('petstore list');
  await terminal.answer('? Address of your pet store', address());
  await terminal.answer('? API key for', service.key);
  await terminal.answer('? Which store is it?');
  await terminal.answer('? The OS keychain is locked: unlock it and try again? (Y/n)');
  await terminal.answer(/locked(.|\n)*locked/, 'n');
  await terminal.answer(/Goldie(.|\n)*exit 0/);
});

describe('a script', () => {
  const login = (words: string, stdin: string | Uint8Array, home?: string) =>
    runPetstore(`login ${words}`, { stdin, ...(home !== undefined && { home }) });

  it('gives the key on stdin, and hears nothing when it is stored', async () => {
    const keyring = await createKeyring();
    const words = `login -e staging --url ${service.url} --key-stdin`;
    const stdin = Buffer.from(`\uFEFF${service.key}\r\n`, 'utf16le');
    const run = await runPetstore(words, { variables: keyring.variables, stdin });
    expect(run).toEqual({ stdout: '', stderr: '', exitCode: 0, signal: null });
    expect(await keyring.lookUp(`staging@${new URL(service.url).origin}`)).toBe(service.key);
  });

  it.each<[string, string, number, string]>([
    ['-e staging --url ADDRESS --key-stdin', 'another-key', 4, 'did not accept the API key'],
    ['-e staging --url ADDRESS --key-stdin', '', 2, 'The API key is empty'],
    ['-e staging --url ADDRESS', '', 3, 'nobody can be asked here'],
    ['-e staging --url ADDRESS', '', 3, 'with --key-stdin it is read from stdin'],
    ['--url ADDRESS --key-stdin', 'a-key', 2, 'Which environment is it?'],
    ['--key-stdin', 'a-key', 2, 'No environment is set up'],
    ['-e staging --url 127.0.0.1:1 --key-stdin', 'a-key', 8, 'nothing listens there'],
    ['-e Staging --url ADDRESS --key-stdin', 'a-key', 2, 'cannot name an environment'],
    ['-e staging --url pets.example.com --key-stdin', 'a-key', 2, 'only an example'],
  ])('login %s with %j is exit %i: %s', async (words, stdin, exitCode, message) => {
    const run = await login(words.replace('ADDRESS', address()), stdin);
    const said = expect.stringContaining(message.replace('ADDRESS', address()));
    expect(run).toMatchObject({ stdout: '', exitCode, stderr: said });
  });

  it('mends an address that cannot be used', async () => {
    const variables = { PETSTORE_CONFIG_DIR: await createTemporaryFolder() };
    const broken = {
      environments: { staging: { url: 'ftp://a' }, production: { url: 'ftp://b' } },
    };
    await changeConfig(variables, () => ({ ...broken, keyStorage: 'file' }));
    const words = `login -e staging --url ${address()} --key-stdin`;
    expect(await runPetstore(words, { variables, stdin: service.key })).toMatchObject({
      stderr: '',
      exitCode: 0,
    });
    expect((await runPetstore('list -o ids', { variables })).stdout).toBe('1\n');
  });

  it('is stopped by the first Ctrl-C while it waits for the key', async () => {
    const { child, ended } = await startPetstore('login -e staging --key-stdin');
    // More than a pipe holds: it is taken once the program reads.
    await promisify((done: () => void) => child.stdin?.write('k'.repeat(500_000), done))();
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ signal: 'SIGINT', stderr: 'Stopped; nothing was sent.\n' });
  });

  itOnLinux('without a keychain is told which variables do without one', async () => {
    const run = await login(`-e staging --url ${address()} --key-stdin`, service.key);
    expect(run).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('no keychain') });
    expect(run.stderr).toContain('PETSTORE_API_KEY_FILE');
  });

  it('is not asked for a key by what is no pet store: it is never sent there', async () => {
    const keys: unknown[] = [];
    const server = await startHttpServer((request, response) => {
      keys.push(request.headers.authorization);
      respondJson(200, '{"hello": "world"}')(request, response);
    });
    const run = await login(`-e staging --url ${server.url} --key-stdin`, service.key);
    expect(run.exitCode).toBe(7);
    expect(keys).toEqual([undefined]);
  });
});

describe('twenty at once', () => {
  const names = Array.from({ length: 20 }, (_, index) => `till-${index}`);
  const loginAll = (variables: Record<string, string>) =>
    Promise.all(
      names.map((name) =>
        runPetstore(`login -e ${name} --url ${address()} --key-stdin`, {
          variables,
          stdin: service.key,
        }),
      ),
    );

  it('lose no key of the private file', async () => {
    const folder = await createTemporaryFolder();
    const variables = { PETSTORE_CONFIG_DIR: folder };
    await changeConfig(variables, () => ({ keyStorage: 'file' }));
    expect((await loginAll(variables)).filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    const keys = JSON.parse(await readFile(path.join(folder, 'keys.json'), 'utf8'));
    expect(Object.values(keys)).toEqual(names.map(() => service.key));
  });

  it('lose no key of the keychain', async () => {
    const keyring = await createKeyring();
    const folder = await createTemporaryFolder();
    const variables = { ...keyring.variables, PETSTORE_CONFIG_DIR: folder };
    const failed = (await loginAll(variables)).filter(({ exitCode }) => exitCode !== 0);
    // Of so many processes a slow computer may leave some keychain calls without a response in time.
    for (const { stderr } of failed) expect(stderr).toContain('The OS keychain did not respond');
    const { environments } = JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8'));
    expect(Object.keys(environments)).toHaveLength(names.length - failed.length);
  });
});

describe('a key in the private file', () => {
  /** A home where staging is signed in. */
  async function createHome(): Promise<string> {
    const home = await createTemporaryFolder();
    const terminal = await openTerminalSession({ home });
    await terminal.run(`petstore login -e staging --url ${address()}`);
    await terminal.answer('? API key for', service.key);
    await terminal.answer('in a private file?');
    await terminal.waitForEnd();
    return home;
  }

  it('is printed by token, and gone after logout', async () => {
    const home = await createHome();
    expect((await runPetstore('token', { home })).stdout).toBe(`${service.key}\n`);
    expect(await runPetstore('logout', { home })).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await runPetstore('token', { home })).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('petstore login --env staging'),
    });
  });

  it('is removed also when its environment has no address any more', async () => {
    const home = await createHome();
    await changeConfig(describeHome(home), ({ environments, ...config }) => {
      const { url: _, ...staging } = environments?.staging ?? {};
      return { ...config, environments: { staging } };
    });
    expect(await runPetstore('logout', { home })).toMatchObject({ stderr: '', exitCode: 0 });
    expect((await readHome(home)).config.environments).toEqual({ staging: { keys: {} } });
  });

  it.each(['stagng', 'Staging', ''])('is not taken for that of "%s"', async (name) => {
    const home = await createHome();
    expect(await runPetstore(['logout', '--env', name], { home })).toMatchObject({
      stderr: expect.stringContaining(`There is no environment called "${name}".`),
      exitCode: 2,
    });
    expect((await runPetstore('token', { home })).exitCode).toBe(0);
  });

  it('is kept by Enter when logout asks', async () => {
    const home = await createHome();
    const terminal = await openTerminalSession({ home });
    await terminal.run('petstore logout');
    await terminal.answer('Remove the stored key for staging?');
    expect(await terminal.waitForEnd()).toContain('Stopped; nothing was removed.');
    expect((await runPetstore('token', { home })).exitCode).toBe(0);
  });

  it('is not asked about by logout where a variable gives the only one', async () => {
    const variables = { PETSTORE_STAGING_URL: service.url, PETSTORE_API_KEY: service.key };
    const terminal = await runInTerminal('petstore logout', { variables });
    const text = await terminal.waitForEnd();
    expect(text).toContain('No key for staging was stored.\nPETSTORE_API_KEY is set');
    expect(text).toContain('exit 0');
  });
});
