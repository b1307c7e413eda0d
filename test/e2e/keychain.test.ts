import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
import {
  type BuiltOptions,
  type BuiltRun,
  builtLine,
  installBuilt,
  runBuilt,
} from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { installKeytarWithoutLibsecret } from '../support/hide-libsecret.ts';
import { startHttpServer, type TestServer } from '../support/http-server.ts';
import { canOpenKeyring, type Keyring, openBus, openKeyring } from '../support/keyring.ts';
import { makeFolder } from '../support/make-folder.ts';
import { listProcesses } from '../support/processes.ts';
import { openRealTerminal } from '../support/real-terminal.ts';
import { startService, type TestService } from '../support/service.ts';
import { openSilentSession } from '../support/silent-session.ts';

// Some twenty starts of the program in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
let account: string;
beforeAll(async () => {
  service = await startService({ pets: [{ name: 'Rex', categoryId: 1n }] });
  account = `staging@${new URL(service.url).origin}`;
});
afterAll(() => service.close());

/** A person's machine: one home folder, and a mark by which its processes are found again. */
async function openMachine(env: Record<string, string> = {}) {
  const home = await makeFolder();
  const mark = randomUUID();
  const variables = { HOME: home, TEST_MARK: mark, PETSTORE_STAGING_URL: service.url, ...env };
  return {
    home,
    variables,
    findProcesses: () => listProcesses(mark),
    run: (line: string, options: Partial<BuiltOptions> = {}) =>
      runBuilt(line, { ...options, env: { ...variables, ...options.env } }),
  };
}

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

    expect(await run('auth logout')).toMatchObject({ stdout: '', exitCode: 0 });
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

/** How long this machine, busy as it is now, takes for next to nothing. In milliseconds; some 50 when it is idle. */
async function measureLoad(run: (line: string) => Promise<BuiltRun>): Promise<number> {
  return (await run('--version')).time;
}

describe('a keychain that fails', () => {
  const unavailable = 'No keychain service responds on this machine';
  const machines: Record<string, () => Promise<Record<string, string>>> = {
    'no session address': async () => ({}),
    'a session address nobody listens on': async () => ({
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
    }),
    'a session without a keyring': async () => {
      const bus = await openBus();
      onTestFinished(bus.stop);
      return bus.env;
    },
    'a session that never answers': openSilentSession,
  };

  it.skipIf(!canOpenKeyring).each([
    ['no session address', unavailable],
    ['a session address nobody listens on', unavailable],
    ['a session without a keyring', unavailable],
    ['a session that never answers', 'The OS keychain did not respond within 3 s'],
  ])('on a machine with %s: says so in time, exit 4, no process left', async (machine, message) => {
    const { run, findProcesses } = await openMachine(await machines[machine]?.());
    for (const line of ['list', 'auth status', 'auth login --key-stdin', 'auth logout', 'doctor']) {
      const { stderr, exitCode, time } = await run(line, { stdin: service.key });
      expect({ line, exitCode }).toEqual({ line, exitCode: 4 });
      expect(stderr).toContain(`Error: ${message}\n`);
      if (line === 'list') {
        expect(stderr).toContain('export PETSTORE_STAGING_API_KEY=');
        expect(stderr).toContain('petstore auth login --env staging --storage file');
      }
      expect(time).toBeLessThan(4_000 + (await measureLoad(run)));
      expect(await findProcesses()).toEqual([]);
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'names the package when libsecret is missing',
    async () => {
      const folder = await makeFolder();
      await installBuilt(folder);
      await installKeytarWithoutLibsecret(folder);
      const { run, findProcesses } = await openMachine();
      const { stderr, exitCode } = await run('list', { folder });
      expect(exitCode).toBe(4);
      expect(stderr).toBe(
        [
          'Error: The keychain library libsecret is missing on this machine',
          '  the system says: libsecret-0.so.0: cannot open shared object file: No such file or directory',
          '  without it: a variable for this shell only, or a file that only you can read',
          'Try:  sudo apt install libsecret-1-0',
          '      sudo dnf install libsecret',
          '      export PETSTORE_STAGING_API_KEY=…',
          '      petstore auth login --env staging --storage file',
          '',
        ].join('\n'),
      );
      expect(await findProcesses()).toEqual([]);
    },
  );

  it.skipIf(process.platform !== 'linux' || !canRun('tmux'))(
    'is waited for on a terminal with a display, says so, and ends with Ctrl-C',
    async () => {
      const { variables, findProcesses } = await openMachine({
        ...(await openSilentSession()),
        DISPLAY: ':99',
      });
      const start = performance.now();
      const list = `trap : INT; ${builtLine} list; echo exit $?; sleep 60`;
      const terminal = await openRealTerminal(['sh', '-c', list], variables);
      await terminal.waitForText('Waiting for the OS keychain');
      expect(performance.now() - start).toBeGreaterThan(1_500);
      await terminal.press('C-c');
      expect(await terminal.waitForText('exit')).toMatch(/Stopped\.\nexit 130$/);
      expect((await findProcesses()).join()).not.toContain('keychain-child.cjs');
    },
  );

  it('hinders nobody who gives the key by a variable or a file', async () => {
    const { run } = await openMachine(await openSilentSession());
    const env = { PETSTORE_API_KEY: service.key };
    expect((await run('list --quiet', { env })).stdout).toBe('1\n');
    const login = 'auth login --key-stdin --storage file';
    expect((await run(login, { stdin: service.key })).exitCode).toBe(0);
    expect((await run('list --quiet')).stdout).toBe('1\n');
  });
});

describe('the keychain’s child process', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'petstore-installed-'));
    await installBuilt(folder);
    // Leaves a mark instead of asking a keychain.
    const child = `require('node:fs').writeFileSync(process.env.HOME + '/child.started', '');
      console.log('{"value":"marked-key-a1b2"}');`;
    await writeFile(path.join(folder, 'dist/config/keys/keychain-child.cjs'), child);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function startsChild(line: string): Promise<boolean> {
    const { run, home } = await openMachine();
    await run(line, { folder });
    return (await readdir(home)).includes('child.started');
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
    'list --limit nonsense',
    'list --env unknown',
    'add Rex --category 1 --dry-run',
    'add Rex --category 1 --env staging --confirm production',
  ])('is not started by: petstore %s', async (line) => {
    expect(await startsChild(line)).toBe(false);
  });

  it('is started when a request is about to be sent', async () => {
    expect(await startsChild('list')).toBe(true);
  });
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

describe.skipIf(!canOpenKeyring)('a key', () => {
  const canary = `canary-${randomUUID()}`;

  /** A service that repeats what it was sent, the key included, wherever it can. */
  function startEcho(status: number): Promise<TestServer> {
    return startHttpServer((request, response) => {
      const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
      const error = { code: key, message: `you sent ${key}`, status };
      response.writeHead(status, { 'content-type': 'application/json', 'x-echo': key });
      response.end(JSON.stringify(status === 200 ? [{ id: 1, name: key, categoryId: 1 }] : error));
    });
  }

  async function readEverything(folder: string): Promise<string> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(path.join(file.parentPath, file.name), 'latin1'));
    return (await Promise.all(texts)).join('\n');
  }

  const traces = (text: string) =>
    [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')].filter((form) =>
      text.includes(form),
    );

  it.each([200, 401, 500])(
    'is nowhere but in the keychain and behind `auth token`, whatever a service answering %i repeats',
    async (status) => {
      const keyring = await openKeyring();
      onTestFinished(keyring.stop);
      const { url } = await startEcho(status);
      const { run, home } = await openMachine({
        ...keyring.env,
        PETSTORE_STAGING_URL: url,
        PETSTORE_DEBUG: '1',
      });
      const written: string[] = [];
      const record = async (line: string, options: Partial<BuiltOptions> = {}) => {
        const { stdout, stderr } = await run(`${line} -vvv --retries 0`, options);
        written.push(stdout, stderr);
      };
      await record('auth login --key-stdin', { stdin: canary });
      await record('auth login --key-stdin --no-verify', { stdin: canary });
      const echoed = await keyring.lookup(`staging@${new URL(url).origin}`);
      expect(echoed).toBe(canary);
      await record('auth status --check --json');
      await record('auth status --all');
      for (const format of ['table', 'json', 'ndjson', 'csv']) await record(`list -o ${format}`);
      await record('add Rex --category 1');
      await record('add Rex --category 1 --dry-run');
      await record('get 1');
      await record('env show --explain');
      await writeFile(path.join(home, 'pets.csv'), 'name,categoryId\nRex,1\n');
      await record(`import ${path.join(home, 'pets.csv')}`);
      await record('doctor');
      const env = { PETSTORE_API_KEY: canary };
      await record('list', { env });
      await record('auth status --check', { env });
      await record('env show --explain --json', { env });
      await record('auth login --key-stdin', { stdin: canary, env });
      expect((await run('auth token')).stdout).toBe(`${canary}\n`);
      await record('auth logout');
      expect(traces(written.join('\n'))).toEqual([]);
      expect(written.join('\n')).toContain('redacted');
      expect(traces(await readEverything(home))).toEqual([]);
    },
  );
});
