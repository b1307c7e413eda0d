import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { builtLine, installBuilt } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { measureLoad, openDeskMachine } from '../support/desk-machine.ts';
import { startHttpServer } from '../support/http-server.ts';
import { canOpenKeyring, type Keyring, openKeyring } from '../support/keyring.ts';
import { openRealTerminal } from '../support/real-terminal.ts';
import { startService, type TestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

// Some twenty starts of the program in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
let account: string;
beforeAll(async () => {
  service = await startService({ pets: [{ name: 'Rex', categoryId: 1n }] });
  account = `staging@${new URL(service.url).origin}`;
});
afterAll(() => service.close());

const openMachine = (env?: Record<string, string>) => openDeskMachine(service.url, env);

describe.skipIf(!canOpenKeyring)('with a real keyring', () => {
  let keyring: Keyring;
  beforeEach(async () => {
    keyring = await openKeyring();
  });
  afterEach(() => keyring.stop());

  it('logs in, looks, works and logs out; other programs see the same bytes', async () => {
    const { run, findProcesses } = await openMachine(keyring.env);
    const end = service.key.slice(-4);

    expect(await run('auth login --key-stdin', { stdin: `${service.key}\n` })).toMatchObject({
      stdout: '',
      stderr: `Stored the API key ending ${end} for staging in the OS keychain.\n`,
      exitCode: 0,
    });
    expect(await keyring.lookup(account)).toBe(service.key);

    const status = await run('auth status --check --json');
    expect(JSON.parse(status.stdout)).toMatchObject([
      { environment: 'staging', state: 'ok', source: 'keychain', lastFour: end },
    ]);
    expect(await run('list --csv')).toMatchObject({
      stdout: 'id,name,categoryId,status\n1,Rex,1,available\n',
      exitCode: 0,
    });
    expect((await run('auth token')).stdout).toBe(`${service.key}\n`);

    expect(await run('auth logout')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^Removed the API key of staging from this machine\./),
      exitCode: 0,
    });
    expect(await keyring.lookup(account)).toBeUndefined();
    expect(await run('list')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('There is no API key for staging'),
      exitCode: 4,
    });
    expect(await findProcesses()).toEqual([]);
  });

  it.skipIf(!canRun('tmux'))('asks on a terminal and shows nothing of the answer', async () => {
    const { variables } = await openMachine(keyring.env);
    const login = `${builtLine} auth login; sleep 60`;
    const terminal = await openRealTerminal(['sh', '-c', login], variables);
    await terminal.waitForText('API key for staging');
    await terminal.type(service.key);
    await terminal.press('Enter');
    const shown = await terminal.waitForText('Stored the API key');
    expect(shown).not.toContain(service.key.slice(4, 12));
    expect(await keyring.lookup(account)).toBe(service.key);
  });

  it('tells a locked keychain from an absent key, and forgets nothing meanwhile', async () => {
    const { run } = await openMachine(keyring.env);
    await run('auth login --key-stdin', { stdin: service.key });
    await keyring.lock();
    for (const line of ['list', 'auth status', 'auth login --key-stdin', 'auth logout']) {
      const { stderr, exitCode, time } = await run(line, { stdin: service.key });
      expect({ line, exitCode }).toEqual({ line, exitCode: 4 });
      expect(stderr).toMatch(
        /it is locked, or the key was removed there|The OS keychain is locked/,
      );
      expect(time).toBeLessThan(4_000 + (await measureLoad(run)));
    }
  });
});

const keychainRecord = {
  ...{ storage: 'keychain', storedAt: '2026-11-20T09:00:00.000Z' },
  ...{ lastFour: 'a1b2', fingerprint: 'salt:0' },
};

async function writeConfig(home: string, keys: Record<string, unknown>): Promise<void> {
  await mkdir(path.join(home, '.config/petstore'), { recursive: true });
  const file = path.join(home, '.config/petstore/config.json');
  await writeFile(file, JSON.stringify({ keys }, null, 2));
}

describe('the keychain’s child process', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'petstore-installed-'));
    await installBuilt(folder);
    // Leaves marks instead of asking a keychain.
    const child = `const { readFileSync, writeFileSync } = require('node:fs');
      writeFileSync(process.env.HOME + '/child.started', '');
      const request = readFileSync(0, 'utf8');
      if (request) writeFileSync(process.env.HOME + '/child.asked', request);
      console.log('{"value":"marked-key-a1b2"}');`;
    await writeFile(path.join(folder, 'dist/config/keys/keychain-child.cjs'), child);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs a line where config says that a key was stored. Returns whether the child was started, and what it was asked. */
  async function runBesideChild(line: string, env: Record<string, string> = {}) {
    const { run, home, findProcesses } = await openMachine();
    await writeConfig(home, { [account]: keychainRecord });
    await run(line, { folder, env: { XDG_CACHE_HOME: path.join(folder, 'cache'), ...env } });
    expect(await findProcesses()).toEqual([]);
    const marks = await readdir(home);
    const asked = marks.includes('child.asked')
      ? JSON.parse(await readFile(path.join(home, 'child.asked'), 'utf8'))
      : undefined;
    return { isStarted: marks.includes('child.started'), asked };
  }

  it.each([
    '--help',
    'help',
    'help environments',
    'list --help',
    'auth --help',
    'auth login --help',
    'auth token --help',
    '--version',
    'env list',
    'env list --json',
    'env show',
    'env show --explain',
    'env set demo --url https://demo.pets.test/v1',
    'env use production',
    'completion bash',
    'serve --help',
    'add Rex --category 1 --dry-run',
    'help list',
    'env set list --url https://demo.pets.test/v1',
  ])('is not started by: petstore %s', async (line) => {
    expect(await runBesideChild(line)).toEqual({ isStarted: false, asked: undefined });
  });

  it.each([
    'list --limit nonsense',
    'list --env unknown',
    'add Rex --category 1 --env staging --confirm production',
  ])('is asked nothing, and ended, by: petstore %s', async (line) => {
    expect((await runBesideChild(line)).asked).toBeUndefined();
  });

  it.each(['list', 'ls', 'get 1', '-o json list', 'add Rex --category 1'])(
    'is asked once config says which key is meant: petstore %s',
    async (line) => {
      const { asked } = await runBesideChild(line);
      expect(asked).toMatchObject({ call: 'get', service: 'petstore-cli', account });
    },
  );

  it.each([
    { PETSTORE_API_KEY: 'k' },
    { PETSTORE_STAGING_API_KEY: 'k' },
    { PETSTORE_API_KEY_FILE: '/nonexistent' },
  ])('is not started where a variable gives the key: %o', async (env) => {
    expect(await runBesideChild('list', env)).toEqual({ isStarted: false, asked: undefined });
  });

  it.skipIf(process.platform !== 'linux')(
    'is ended at once where the key is in a file, and while the command goes on',
    async () => {
      let onRequest = () => {};
      const requested = new Promise<void>((resolve) => {
        onRequest = resolve;
      });
      const { url } = await startHttpServer(() => onRequest());
      const { home, run, variables, findProcesses } = await openMachine();
      await run('auth login --key-stdin --storage file --no-verify', {
        stdin: service.key,
        env: { PETSTORE_STAGING_URL: url },
      });
      const config = JSON.parse(
        await readFile(path.join(home, '.config/petstore/config.json'), 'utf8'),
      );
      await writeConfig(home, { ...config.keys, 'production@https://other.test': keychainRecord });
      const list = spawn(process.execPath, [path.join(folder, 'bin/petstore.js'), 'list'], {
        env: { PATH: process.env.PATH, ...variables, PETSTORE_STAGING_URL: url },
        stdio: 'ignore',
      });
      onTestFinished(() => void list.kill('SIGKILL'));
      await requested;
      await waitFor(async () =>
        expect((await findProcesses()).join()).not.toContain('keychain-child.cjs'),
      );
      expect(list.exitCode).toBeNull();
    },
  );
});

describe('two commands at once', () => {
  it('lose nothing of the config file', async () => {
    const { run } = await openMachine();
    const names = Array.from({ length: 6 }, (_, index) => `shop-${index}`);
    const lines = names.map((name) => `env set ${name} --url https://${name}.pets.test/v1`);
    const results = await Promise.all(lines.map((line) => run(line)));
    expect(results.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0));
    const { stdout } = await run('env list --quiet');
    expect(stdout).toBe(`production\n${names.join('\n')}\nstaging\n`);
  });
});
