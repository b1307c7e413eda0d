import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtCommand, builtProgram, isStandalone } from '../support/built-program.ts';
import { startHttpServer } from '../support/http-server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { createHome } from '../support/run-program.ts';
import { sharedCache } from '../support/shared-cache.ts';
import { stagingAt } from '../support/staging.ts';

const PAGES = 500;

/** A list of 50,000 pets, some 6 MB unless their names are longer, served as fast as it is asked for. */
async function startLargeList(onPage = () => {}, nameLength = 80) {
  const name = 'x'.repeat(nameLength);
  const page = JSON.stringify(
    Array.from({ length: 100 }, (_, id) => ({ id, name, categoryId: 1 })),
  );
  return await startHttpServer((request, response) => {
    onPage();
    const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 1);
    const link = at < PAGES ? { link: `<?limit=100&cursor=${at + 1}>; rel="next"` } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...link }).end(page);
  });
}

async function createEnv(url: string) {
  const home = { HOME: await createHome(), ...sharedCache };
  return { PATH: process.env.PATH, ...home, ...stagingAt(url) };
}

async function start(argv: readonly string[], stdio: StdioOptions, url: string) {
  const env = await createEnv(url);
  const [file = '', ...words] = builtCommand;
  const child = spawn(file, [...words, ...argv], { stdio, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stderr = child.stderr ? readAll(child.stderr) : Promise.resolve('');
  const exit = once(child, 'exit').then(([code]: unknown[]) => code);
  return { child, stderr, exit };
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

describe('the reader of stdout', () => {
  it.each(['json', 'ndjson', 'csv'])(
    '%s: goes away after one byte, as head does: 0, no stack',
    async (format) => {
      const { url } = await startLargeList();
      const argv = ['list', '--all', '-o', format];
      const { child, stderr, exit } = await start(argv, ['ignore', 'pipe', 'pipe'], url);
      await once(child.stdout ?? child, 'readable');
      child.stdout?.destroy();
      expect(await exit).toBe(0);
      expect(await stderr).toBe('');
    },
  );

  it.each(['json', 'ndjson'])('%s: is slow, and still gets all of 5 MB', async (format) => {
    const { url } = await startLargeList();
    const argv = ['list', '--all', '-o', format];
    const { child, exit } = await start(argv, ['ignore', 'pipe', 'ignore'], url);
    let bytes = 0;
    let rows = 0;
    for await (const chunk of child.stdout ?? []) {
      bytes += chunk.length;
      rows += String(chunk).split('"id":').length - 1;
      if (bytes % 7 === 0) await pause(1);
    }
    expect(await exit).toBe(0);
    expect(bytes).toBeGreaterThan(5_000_000);
    expect(rows).toBeGreaterThan(49_900);
  });

  it('is slow behind a pipe of the shell, and still gets all of 5 MB', async () => {
    const { url } = await startLargeList();
    const words = [...builtCommand, 'list', '--all', '--ndjson'];
    const env = await createEnv(url);
    const child = spawn('sh', ['-c', '"$0" "$@" | cat', ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let rows = 0;
    for await (const chunk of child.stdout) {
      rows += String(chunk).split('\n').length - 1;
      await pause(10);
    }
    expect(rows).toBe(50_000);
  });

  it('reads nothing at all: the first signal ends the program', async () => {
    let pages = 0;
    const { url } = await startLargeList(() => {
      pages += 1;
    });
    const pipe = path.join(await makeFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const unread = await open(pipe, 'r+');
    onTestFinished(() => unread.close());
    const argv = ['list', '--all', '--ndjson'];
    const { child, stderr, exit } = await start(argv, ['ignore', unread.fd, 'pipe'], url);
    // A pipe holds 64 KiB, which is not even six pages; the seventh is asked for while the sixth waits.
    await expect.poll(() => pages).toBe(7);
    child.kill('SIGTERM');
    expect(await exit).toBe(143);
    expect(await stderr).toMatch(/^\{"type":"error","code":"cli_terminated".*\n$/);
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full disk behind stdout', () => {
  it.each([['list'], ['list', '--all', '--ndjson'], ['--help'], ['--version'], ['help', 'output']])(
    '%s %s %s: 1, said on stderr, no crash',
    async (...argv) => {
      const { url } = await startLargeList();
      const full = await open('/dev/full', 'w');
      onTestFinished(() => full.close());
      const { stderr, exit } = await start(argv, ['ignore', full.fd, 'pipe'], url);
      expect(await exit).toBe(1);
      expect(await stderr).toMatch(
        /^.*Output could not be written: no space is left on the disk.*\n$/,
      );
    },
  );

  it('an add that could not be printed says that it was applied', async () => {
    const server = await startHttpServer((_, response) => {
      response
        .writeHead(201, { 'content-type': 'application/json' })
        .end('{"id":1,"name":"Rex","categoryId":7}');
    });
    const full = await open('/dev/full', 'w');
    onTestFinished(() => full.close());
    const argv = ['add', 'Rex', '--category', '7', '--json'];
    const { stderr, exit } = await start(argv, ['ignore', full.fd, 'pipe'], server.url);
    expect(await exit).toBe(1);
    const error = JSON.parse((await stderr).trimEnd().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ code: 'cli_output', outcome: 'applied' });
  });
});

describe.skipIf(process.platform !== 'linux')('a closed stdout', () => {
  const runShell = async (
    line: string,
    argv: readonly string[],
    url: string,
    stdout: 'ignore' | 'pipe',
  ) => {
    const env = await createEnv(url);
    const words = ['-c', `"$0" "$@" ${line}; exit $?`, ...builtCommand, ...argv];
    const child = spawn('sh', words, { env, stdio: ['ignore', stdout, 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const stderr = child.stderr ? readAll(child.stderr) : Promise.resolve('');
    const [exitCode] = await once(child, 'exit');
    return { exitCode, stderr: await stderr };
  };

  it.each([['list'], ['list', '--all', '--ndjson'], ['--help'], ['--version']])(
    '%s %s %s: 1, said on stderr',
    async (...argv) => {
      const { url } = await startLargeList();
      const { exitCode, stderr } = await runShell('>&-', argv, url, 'pipe');
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^.*Output could not be written: stdout is closed.*\n$/);
    },
  );

  it('is not one that leads nowhere on purpose', async () => {
    const { url } = await startLargeList();
    const nowhere = { exitCode: 0, stderr: expect.stringMatching(/^(Showing .*\n)?$/) };
    expect(await runShell('>/dev/null', ['list', '-q'], url, 'pipe')).toEqual(nowhere);
    expect(await runShell('', ['list', '-q'], url, 'ignore')).toEqual(nowhere);
    const { stderr, exit } = await start(['list', '-q'], ['ignore', 'ignore', 'pipe'], url);
    expect({ exitCode: await exit, stderr: await stderr }).toEqual(nowhere);
  });
});

describe('stdin', () => {
  const commands = [
    ['list'],
    ['add'],
    ['add', '--from', '-'],
    ['get', '1', '--via', 'list'],
    ['auth', 'login'],
    ['auth', 'login', '--key-stdin'],
    ['auth', 'status'],
    ['auth', 'token'],
    ['auth', 'logout'],
    ['env', 'show', '--explain'],
    ['env', 'use', 'staging'],
    ['keys', 'list'],
    ['doctor'],
    ['completion', 'bash'],
    ['import', '-'],
    ['--help'],
  ];

  it.each(commands)('empty or closed never hangs: %s %s %s', async (...argv) => {
    const { url } = await startLargeList();
    const empty = await start(argv, ['ignore', 'ignore', 'ignore'], url);
    const env = await createEnv(url);
    const line = `exec "$0" "$@" <&-`;
    const closed = spawn('sh', ['-c', line, ...builtCommand, ...argv], {
      env,
      stdio: 'ignore',
    });
    onTestFinished(() => void closed.kill('SIGKILL'));
    const ends = Promise.all([empty.exit, once(closed, 'exit')]);
    expect(await ends).toEqual([expect.any(Number), [expect.any(Number), null]]);
  });

  it('is not read by a command that was not told to', async () => {
    const { url } = await startLargeList();
    const { exit } = await start(['list', '-q'], ['pipe', 'ignore', 'ignore'], url);
    expect(await exit).toBe(0);
  });
});

describe('memory', () => {
  it.skipIf(isStandalone).each(['ndjson', 'csv', 'json'])(
    'of list --all -o %s does not grow with the list',
    async (format) => {
      const { url } = await startLargeList(undefined, 400);
      const argv = ['list', '--all', '-o', format];
      const env = await createEnv(url);
      // A heap of 24 MB cannot hold 50,000 pets, nor the 22 MB of their text; it holds a page many times over.
      const child = spawn(process.execPath, ['--max-old-space-size=24', builtProgram, ...argv], {
        env,
        stdio: 'ignore',
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );
});
