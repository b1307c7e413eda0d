import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { builtCommand, runBuilt } from '../support/built-program.ts';
import { portOf } from '../support/http-server.ts';
import { createHome } from '../support/run-program.ts';
import { startService } from '../support/service.ts';
import { findMountObstacle, mountSmallDisk } from '../support/small-disk.ts';
import { stagingAt } from '../support/staging.ts';

/** Adds of unknown outcome, in all: few in the whole suite, many in `npm run test:history`. */
const ROUNDS = Number(process.env.PETSTORE_TEST_ROUNDS ?? 9);

/** Terminals that add at the same time, all on one history. */
const TERMINALS = 3;

/** What becomes of an add, by the first word of its pet's name. */
const mishaps = ['dropped', 'killed-after', 'killed-before'] as const;

/**
 * Stands before the service: drops a response that it sent, or calls `onHeld` for an add whose response never comes,
 * which the service got or did not get. `mend` lets everything through.
 */
async function startTroubledProxy(target: string, onHeld: (name: string) => void) {
  const { hostname, port } = new URL(target);
  const isMended = { value: false };
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const name = request.method === 'POST' && !isMended.value ? String(JSON.parse(body).name) : '';
    if (name.startsWith('killed-before')) return onHeld(name);
    const { method, url: path, headers } = request;
    const onward = forward(
      { hostname, port, method, path, headers },
      async (reply: IncomingMessage) => {
        const answer = await text(reply);
        if (name.startsWith('dropped')) request.socket.destroy();
        else if (name.startsWith('killed-after')) onHeld(name);
        else response.writeHead(reply.statusCode ?? 502, reply.headers).end(answer);
      },
    );
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}/v1`,
    mend: () => {
      isMended.value = true;
    },
  };
}

it(
  `after ${ROUNDS} adds of unknown outcome, "history settle" leaves every pet there once`,
  async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const children = new Map<string, ChildProcess>();
    const proxy = await startTroubledProxy(service.url, (name) =>
      children.get(name)?.kill('SIGKILL'),
    );
    const env = { HOME: await createHome(), ...stagingAt(proxy.url, service.key) };
    const [program = '', ...words] = builtCommand;
    const add = async (name: string) => {
      const line = ['add', name, '--category', '1', '--retries', '0', '--quiet'];
      const child = spawn(program, [...words, ...line], {
        stdio: 'ignore',
        env: { PATH: process.env.PATH, ...env },
      });
      children.set(name, child);
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child, 'exit');
      return child.signalCode ?? child.exitCode;
    };
    const names = Array.from(
      { length: ROUNDS },
      (_, round) => `${mishaps[round % mishaps.length]}-${round}`,
    );
    const waiting = [...names];
    const terminals = Array.from({ length: TERMINALS }, async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        expect(await add(name)).toBe(name.startsWith('dropped') ? 9 : 'SIGKILL');
    });
    await Promise.all(terminals);
    proxy.mend();

    const settled = await runBuilt('history settle --ndjson', { env });
    expect(settled).toMatchObject({ stderr: expect.stringContaining('Settled'), exitCode: 0 });
    const settlements = settled.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const found = settlements.map(({ pet, settlement }) => `${pet.name} ${settlement}`);
    const expected = names.map(
      (name) => `${name} ${name.startsWith('killed-before') ? 'added_now' : 'already_added'}`,
    );
    expect(found.sort()).toEqual(expected.sort());
    const list = await runBuilt('list --all --csv --fields name', { env });
    expect(list.stdout.trim().split('\n').slice(1).sort()).toEqual([...names].sort());
    const again = await runBuilt('history settle', { env });
    expect(again.stderr).toContain('No write from this machine to staging is of unknown outcome.');
  },
  30_000 + ROUNDS * 2_000,
);

const obstacle = findMountObstacle();

it.skipIf(obstacle !== undefined)(
  'on a full disk the add is sent all the same, with a warning',
  async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const disk = await mountSmallDisk('1m');
    await disk.fill();
    const env = { HOME: disk.folder, ...stagingAt(service.url, service.key) };
    const run = await runBuilt('add Rex --category 1 --quiet', { env });
    expect(run).toMatchObject({ stdout: '1\n', exitCode: 0 });
    expect(run.stderr).toMatch(
      /^The history of this machine is incomplete: .*The add itself is not affected\.\n$/,
    );
  },
);
