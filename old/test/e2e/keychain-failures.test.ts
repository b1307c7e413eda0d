import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { builtLine, installBuilt, serviceLine } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { measureLoad, openDeskMachine } from '../support/desk-machine.ts';
import { installKeytarWithoutLibsecret } from '../support/hide-libsecret.ts';
import { canOpenKeyring, openBus } from '../support/keyring.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openRealTerminal } from '../support/real-terminal.ts';
import { startService, type TestService } from '../support/service.ts';
import { openSilentSession } from '../support/silent-session.ts';

// Some twenty starts of the program in one test, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
beforeAll(async () => {
  service = await startService({ pets: [{ name: 'Rex', categoryId: 1n }] });
});
afterAll(() => service.close());

const openMachine = (env?: Record<string, string>) => openDeskMachine(service.url, env);

type Machine = Awaited<ReturnType<typeof openMachine>>;

/** Says that the key is in the keychain, so that its process is started ahead. */
async function writeStoredKey(home: string): Promise<void> {
  const folder = path.join(home, '.config/petstore');
  const key = { storage: 'keychain', storedAt: '2026-11-20', lastFour: 'a1b2', fingerprint: '' };
  await mkdir(folder, { recursive: true });
  const keys = { [`staging@${new URL(service.url).origin}`]: key };
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ keys }));
}

/** Runs a line that must end within four seconds: once of three times, as a busy machine may delay any one of them. */
async function runInTime(run: Machine['run'], line: string) {
  for (let tries = 1; ; tries += 1) {
    const [result, loadAtStart] = await Promise.all([
      run(line, { stdin: service.key }),
      measureLoad(run),
    ]);
    const late = result.time - 4_000 - Math.max(loadAtStart, await measureLoad(run));
    if (tries === 3) expect(late).toBeLessThan(0);
    if (late < 0) return result;
  }
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
    const env = await machines[machine]?.();
    const check = async (line: string) => {
      const { run, findProcesses } = await openMachine(env);
      const { stderr, exitCode } = await runInTime(run, line);
      expect({ line, exitCode }).toEqual({ line, exitCode: 4 });
      expect(stderr).toContain(`Error: ${message}\n`);
      if (line === 'list') {
        expect(stderr).toContain('export PETSTORE_STAGING_API_KEY=');
        expect(stderr).toContain('petstore auth login --env staging --storage file');
      }
      expect(await findProcesses()).toEqual([]);
    };
    const lines = ['list', 'auth status', 'auth login --key-stdin', 'auth logout', 'doctor'];
    await Promise.all(lines.map(check));
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

  it.skipIf(process.platform !== 'linux')(
    'is reported when too many files are open to ask it',
    async () => {
      const { home, variables } = await openMachine();
      await writeStoredKey(home);
      let stderr = '';
      // How many files Node itself opens depends on its version; below 21 it cannot load the program.
      for (let limit = 44; limit > 20 && !stderr.includes('(EMFILE)'); limit -= 3) {
        const words = ['-c', `ulimit -n ${limit}; ${serviceLine} list; echo exit $? >&2`];
        const env = { PATH: process.env.PATH, ...variables };
        // In a process group of its own: a signal to a child without an id would end the tests.
        const list = spawn('sh', words, {
          env,
          detached: true,
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        stderr = await text(list.stderr);
        expect(stderr).toMatch(/^Error: No keychain service.*exit 4\n$/s);
      }
      expect(stderr).toContain('the keychain process failed (EMFILE)');
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
