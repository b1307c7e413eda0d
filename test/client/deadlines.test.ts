import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canMount, ownMounts } from '../support/mount-namespace.ts';
import { startRawServer } from '../support/raw-server.ts';
import { connectTo, type RunOptions, startPetstore } from '../support/run-petstore.ts';
import { itOnPosix } from '../support/system.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** From the first byte of an error to the end of the process, in milliseconds: ten times what is promised. */
const ENDS_WITHIN_MS = 5_000;

/** Runs a line that cannot succeed; says what was written, and whether the process ended with it. */
async function runToEnd(line: string, url: string, options: RunOptions = {}) {
  const variables = { ...options.variables, ...connectTo({ url }) };
  const { child, ended } = await startPetstore(line, { ...options, variables });
  child.stdin?.end();
  const isHere = new Promise<number>((resolve) => {
    child.stderr?.once('data', () => resolve(performance.now()));
  });
  const run = await ended;
  const tookMs = performance.now() - (await isHere);
  return { exitCode: run.exitCode, stderr: run.stderr, isPrompt: tookMs < ENDS_WITHIN_MS };
}

/** A port whose queue of connections is full: what is sent to it is dropped. */
async function startFullQueue(): Promise<string> {
  const program = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    require('node:fs').writeSync(1, String(this.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  })`;
  const child = spawn(process.execPath, ['-e', program]);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  });
  const [port] = await once(child.stdout, 'data');
  // The system takes a few before it drops the rest.
  for (let count = 0; count < 4; count += 1) {
    sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}));
  }
  await once(sockets[0] ?? child, 'connect');
  return String(port);
}

// Windows refuses what does not fit its queue.
itOnPosix('ends the command at a host that drops packets', async () => {
  const url = `http://127.0.0.1:${await startFullQueue()}`;
  const run = await runToEnd('list --timeout 500ms --retries 1', url);
  expect(run).toMatchObject({
    exitCode: 8,
    isPrompt: true,
    stderr: expect.stringContaining('did not accept a connection within 0.5 s.'),
  });
});

it('opens a new connection for each attempt, and leaves none behind', async () => {
  const { port, connections } = await startRawServer(() => {});
  const url = `https://127.0.0.1:${port}`;
  const run = await runToEnd('list --timeout 300ms --retries 2', url);
  expect(run).toMatchObject({ exitCode: 8, isPrompt: true });
  expect(connections()).toBe(3);
});

it.each([
  ['is silent in the TLS handshake', 'https', 'list', () => {}, 'did not accept a connection', 8],
  ['is silent', 'http', 'list', () => {}, 'did not respond', 8],
  ['is silent after an add', 'http', 'add Rex --category 7', () => {}, 'did not respond', 9],
  [
    'trickles its body',
    'http',
    'list',
    trickle('HTTP/1.1 200 OK\r\n\r\n[', ' '),
    'did not respond',
    8,
  ],
  [
    'trickles its head',
    'http',
    'list',
    trickle('HTTP/1.1 200 OK\r\n', 'A: b\r\n'),
    'did not respond',
    8,
  ],
  [
    'says 102 for ever',
    'http',
    'list',
    trickle('', 'HTTP/1.1 102 Wait\r\n\r\n'),
    'did not respond',
    8,
  ],
] as const)(
  'ends the command at a host that %s',
  async (_, scheme, line, serve, words, exitCode) => {
    const { port } = await startRawServer(serve);
    const url = `${scheme}://127.0.0.1:${port}`;
    const run = await runToEnd(`${line} --timeout 500ms --retries 0`, url);
    expect(run).toMatchObject({ exitCode, isPrompt: true });
    expect(run.stderr).toContain(`${words} within 0.5 s.`);
  },
);

it.each(['http', 'https'])('ends the command at an %s proxy that is silent', async (scheme) => {
  const proxy = await startRawServer(() => {});
  const variables = { HTTPS_PROXY: `${scheme}://127.0.0.1:${proxy.port}` };
  const line = 'list --timeout 500ms --retries 1';
  const run = await runToEnd(line, 'https://pets.test', { variables });
  expect(run).toMatchObject({
    exitCode: 8,
    isPrompt: true,
    stderr: expect.stringContaining(`names the proxy 127.0.0.1:${proxy.port}`),
  });
});

it('ends the command at a proxy whose tunnel is silent', async () => {
  const proxy = await startRawServer((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  const variables = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const line = 'list --timeout 500ms --retries 1';
  const run = await runToEnd(line, 'https://pets.test', { variables });
  expect(run).toMatchObject({ exitCode: 8, isPrompt: true });
});

it('ends an import of many rows at a host that is silent', async () => {
  const { port } = await startRawServer(() => {});
  const rows = Array.from({ length: 300 }, (_, row) => `Rex ${row},7`);
  const home = await createTemporaryFolder();
  const file = path.join(home, 'pets.csv');
  writeFileSync(file, `name,categoryId\n${rows.join('\n')}\n`);
  const line = `import ${file} --timeout 500ms --retries 0`;
  const run = await runToEnd(line, `https://127.0.0.1:${port}`, { home });
  expect(run).toMatchObject({ exitCode: 8, isPrompt: true });
});

/** Runs a program beside a name server of its own that never responds. */
const silentNameServer = `
  const server = require('node:dgram').createSocket('udp4').bind(53, '127.0.0.1', () => {
    const [file, ...words] = process.argv.slice(1);
    const child = require('node:child_process').spawn(file, words, { stdio: 'inherit' });
    child.on('close', (code) => process.exit(code));
  });`;

it.skipIf(!canMount())('ends the command where a name is looked up in vain', async () => {
  const folder = await createTemporaryFolder();
  const file = path.join(folder, 'resolv.conf');
  writeFileSync(file, 'nameserver 127.0.0.1\n');
  const script = 'ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$@"';
  const inside = ['sh', '-c', script, file, process.execPath, '-e', silentNameServer];
  const before = [...ownMounts, '--net', ...inside];
  const line = 'list --timeout 1s --retries 0';
  const run = await runToEnd(line, 'https://pets.example.test', { before });
  expect(run).toMatchObject({ exitCode: 8, isPrompt: true });
  expect(run.stderr).toMatch(/did not accept a connection within 1 s|cannot be looked up/);
});

/** Writes a start, and then a piece every few milliseconds. */
function trickle(start: string, piece: string) {
  return (socket: Socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.once('close', () => clearInterval(timer));
  };
}
