import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtCommand } from '../support/built-program.ts';
import { startHttpServer } from '../support/http-server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { createHome } from '../support/run-program.ts';
import { sharedCache } from '../support/shared-cache.ts';
import { stagingAt } from '../support/staging.ts';
import { waitFor } from '../support/wait-for.ts';
import { within } from '../support/within.ts';

const url = 'http://127.0.0.1:9/v1';

/** A program of its own may be kept waiting by a busy machine while this one runs. */
const END_MS = 3_000;

async function makeFifo(): Promise<string> {
  const fifo = path.join(await makeFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  return fifo;
}

async function start(words: readonly string[], env: Record<string, string> = {}) {
  const [file = '', ...program] = builtCommand;
  const child = spawn(file, [...program, ...words], {
    env: {
      PATH: process.env.PATH,
      HOME: await createHome(),
      ...sharedCache,
      PETSTORE_STAGING_URL: url,
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr = text(child.stderr);
  child.stdout.resume();
  return { child, stderr, exit: once(child, 'exit') };
}

/** Waits until the program handles signals: before that it ends by them as any process does. */
async function waitForHandlers({ pid }: ChildProcess): Promise<void> {
  await waitFor(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const caught = BigInt(`0x${/SigCgt:\s*(\w+)/.exec(status)?.[1]}`);
    for (const signal of [1n, 2n, 15n]) expect((caught >> (signal - 1n)) & 1n).toBe(1n);
  });
}

async function waitForOpen({ pid }: ChildProcess, file: string): Promise<void> {
  await waitFor(async () => {
    const names = await readdir(`/proc/${pid}/fd`);
    const links = names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''));
    expect(await Promise.all(links)).toContain(file);
  });
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

const waits = [
  ['auth login --key-stdin', {}],
  ['add --from -', {}],
  ['import -', {}],
  ['import FIFO', {}],
  ['import FIFO --dry-run', {}],
  ['add --from FIFO', {}],
  ['auth login --key-file FIFO', {}],
  ['list', { PETSTORE_API_KEY_FILE: 'FIFO' }],
] as const;

describe.skipIf(process.platform !== 'linux')('input that never comes', () => {
  it.each(
    waits.flatMap(([line, env], index) => {
      const [signal, code] = signals[index % signals.length] ?? signals[0];
      return line.endsWith('-')
        ? signals.map(([each, exitCode]) => ({ line, env, signal: each, exitCode }))
        : [{ line, env, signal, exitCode: code }];
    }),
  )('$line $env: the first $signal ends the wait, exit $exitCode', async (given) => {
    const fifo = await makeFifo();
    const variables = Object.keys(given.env).map((name) => [name, fifo]);
    const words = given.line.split(' ').map((word) => (word === 'FIFO' ? fifo : word));
    const { child, stderr, exit } = await start(words, Object.fromEntries(variables));
    await waitForHandlers(child);
    if (words.includes(fifo) || variables.length > 0) await waitForOpen(child, fifo);
    child.kill(given.signal);
    expect(await within(exit, `the program ends on ${given.signal}`, END_MS)).toEqual([
      given.exitCode,
      null,
    ]);
    expect(await stderr).toMatch(/^Stopped\./m);
  });

  it('a FIFO is read to the end of its writer, however late that comes', async () => {
    const fifo = await makeFifo();
    const { child, stderr, exit } = await start(['import', fifo, '--dry-run']);
    await waitForOpen(child, fifo);
    const writer = await open(fifo, 'w');
    await writer.write('name,categoryId\n');
    await writer.write('Rex,1\n');
    await writer.close();
    expect(await exit).toEqual([0, null]);
    expect(await stderr).toContain('Dry run: 1 pet could be added');
  });

  it.each([
    ["printf 'name,categoryId\\nRex,1\\n'", 0, '1 pet could be added'],
    ['true', 2, 'has no rows'],
  ])('the pipe of <(%s) is read to its end', async (writer, exitCode, said) => {
    const line = `"$0" "$@" import <(${writer}) --format csv --dry-run`;
    const env = { PATH: process.env.PATH, HOME: await createHome(), PETSTORE_STAGING_URL: url };
    const child = spawn('bash', ['-c', line, ...builtCommand], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const stderr = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([exitCode, null]);
    expect(await stderr).toContain(said);
  });
});

describe.skipIf(process.platform !== 'linux')('input without an end', () => {
  it.each([
    ['auth login --key-stdin', 'stdin cannot be read: it is longer than 64 KiB'],
    ['auth login --key-file /dev/zero', 'cannot be read: it is longer than 64 KiB'],
    ['add --from -', 'stdin does not hold a pet: it is longer than 1024 KiB'],
    ['add --from /dev/zero', 'does not hold a pet: it is longer than 1024 KiB'],
    ['import -', 'stdin has 1 mistake; nothing was sent'],
    ['import /dev/zero', '/dev/zero has 1 mistake; nothing was sent'],
  ])('%s </dev/zero is refused', async (line, said) => {
    const { child, stderr, exit } = await start(line.split(' '));
    child.stdin.on('error', () => {});
    createReadStream('/dev/zero').pipe(child.stdin);
    expect((await exit)[0]).toBeGreaterThan(1);
    expect(await stderr).toContain(said);
  });
});

describe.skipIf(process.platform !== 'linux')(
  "what is not a file, in the place of the program's own",
  () => {
    const kinds = [
      ['a pipe', (place: string) => execFileSync('mkfifo', [place])],
      ['a folder', (place: string) => mkdirSync(place)],
      ['a device', (place: string) => symlinkSync('/dev/zero', place)],
    ] as const;
    const places = [
      ['config/petstore/config.json', 'env set x --url https://x.pets.test/v1'],
      ['config/petstore/keys.json', 'auth login --key-stdin --storage file --no-verify'],
      ['state/petstore/imports/imports.db', 'import FILE'],
    ] as const;

    it.each(
      kinds.flatMap(([kind, make]) => places.map(([place, line]) => ({ kind, place, line, make }))),
    )('$kind at $place is refused, never waited for', async ({ kind, place, line, make }) => {
      const home = await createHome();
      const file = path.join(home, 'pets.csv');
      writeFileSync(file, 'name,categoryId\nRex,1\n');
      const own = path.join(home, place);
      mkdirSync(path.dirname(own), { recursive: true });
      make(own);
      const { child, stderr, exit } = await start(line.replace('FILE', file).split(' '), {
        HOME: home,
        XDG_CONFIG_HOME: path.join(home, 'config'),
        XDG_STATE_HOME: path.join(home, 'state'),
      });
      child.stdin.on('error', () => {});
      child.stdin.end('a-key');
      expect([2, 4]).toContain((await exit)[0]);
      expect(await stderr).toContain(`${own} is ${kind}, not a file`);
    });
  },
);

describe.skipIf(process.platform !== 'linux')(
  'a terminal that is closed in the middle of an add',
  () => {
    it('SIGHUP, however often it comes: the outcome is reported, exit 129', async () => {
      const server = await startHttpServer(() => {});
      const line = 'add Rex --category 7 --idempotency-key k1 --json';
      const { child, stderr, exit } = await start(line.split(' '), stagingAt(server.url));
      await expect.poll(() => server.requests, { timeout: 10_000 }).toEqual(['POST /v1/pets']);
      child.kill('SIGHUP');
      child.kill('SIGHUP');
      expect(await within(exit, 'add ends on SIGHUP', END_MS)).toEqual([129, null]);
      expect(JSON.parse((await stderr).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        code: 'cli_hangup',
        class: 'hangup',
        exitCode: 129,
        outcome: 'unknown',
      });
    });
  },
);
