import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type AttackOutcome, countOf, durationOf, type Target } from './attack.ts';
import { closeSockets, formatRequest, openSocket, openSockets } from './sockets.ts';

const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);
const MIB = 1024 * 1024;
/** What a refused body may cost: the buffers of the system and one second of a fast sender are in it. */
const TAKEN_AT_MOST = 64 * MIB;
const SENT_AT_MOST = 4 * 1024 * MIB;

/** Bodies that nobody asked for. */
export const unwantedBodies: readonly Attack[] = [
  {
    name: '4 bodies without end after a 401, chunked',
    database: 'sqlite',
    inSuite: true,
    run: (target) => sendEndlessly(target, { 'Transfer-Encoding': 'chunked' }),
  },
  {
    name: '4 bodies without end after a 401, with their length',
    database: 'sqlite',
    inSuite: false,
    run: (target) => sendEndlessly(target, { 'Content-Length': String(1e12) }),
  },
  {
    name: '50 bodies in chunks of one byte',
    database: 'sqlite',
    inSuite: false,
    run: sendPieces,
  },
  {
    name: 'Expect: 100-continue without a key',
    database: 'sqlite',
    inSuite: false,
    run: expectContinue,
  },
];

async function sendEndlessly(
  target: Target,
  headers: Record<string, string>,
): Promise<AttackOutcome> {
  const start = formatRequest({
    method: 'POST',
    path: '/v1/pets',
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const deadline = performance.now() + durationOf(target, 5_000);
  const taken = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = await openSocket(target);
      socket.resume().write(start);
      await writeUntil(socket, deadline);
      socket.destroy();
      return socket.bytesWritten - socket.writableLength;
    }),
  );
  const most = Math.max(...taken);
  const broken = most > TAKEN_AT_MOST ? [`took ${toMib(most)} MiB of a refused body`] : [];
  return { seen: `${toMib(most)} MiB taken from one`, broken };
}

async function sendPieces(target: Target): Promise<AttackOutcome> {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
  const start = formatRequest({ method: 'POST', path: '/v1/pets', key: target.key, headers });
  const sockets = await openSockets(target, countOf(target, 50));
  for (const socket of sockets) {
    socket.resume().write(start + '1\r\nx\r\n'.repeat(60_000));
    await pause(100);
  }
  await pause(durationOf(target, 2_000));
  closeSockets(sockets);
  return { seen: '', broken: [] };
}

async function writeUntil(socket: Socket, deadline: number): Promise<void> {
  const closed = once(socket, 'close').catch(() => {});
  while (performance.now() < deadline && socket.bytesWritten < SENT_AT_MOST) {
    if (!socket.writable) return;
    if (socket.write(CHUNK)) continue;
    const isStuck = new AbortController();
    const drained = once(socket, 'drain', { signal: isStuck.signal }).catch(() => {});
    await Promise.race([drained, closed, pause(deadline - performance.now())]);
    isStuck.abort();
  }
}

async function expectContinue(target: Target): Promise<AttackOutcome> {
  const socket = await openSocket(target);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': '1000',
    Expect: '100-continue',
  };
  const responded = once(socket, 'data');
  socket.write(formatRequest({ method: 'POST', path: '/v1/pets', headers }));
  const [first] = await Promise.race([responded, pause(2_000, [''])]);
  closeSockets([socket]);
  const [line = ''] = String(first).split('\r\n', 1);
  return { seen: line, broken: line.includes(' 401 ') ? [] : [`"${line}" before 401`] };
}

function toMib(bytes: number): number {
  return Math.round(bytes / MIB);
}
