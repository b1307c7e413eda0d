import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { formatApiKey } from '../src/contract/api-key.ts';

/** What is attacked. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  readonly key: string;
}

export interface Attack {
  readonly name: string;
  run(target: Target): Promise<void>;
}

/** How long an attack goes on, in milliseconds. */
const LASTS_MS = 4_000;

const request = (path: string, key: string, rest = '\r\n') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${rest}`;
const post = (key: string, rest: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\n${rest}`;

function open({ port }: Target, isRead = true): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  return isRead ? socket.resume() : socket.pause();
}

/** Opens connections, does something on each, and keeps them for a while. */
async function hold(
  target: Target,
  count: number,
  use: (socket: Socket) => void,
  isRead = true,
): Promise<void> {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const socket = open(target, isRead);
    sockets.push(socket);
    use(socket);
    if (at % 100 === 99) await pause(20);
  }
  await pause(LASTS_MS);
  for (const socket of sockets) socket.destroy();
}

const unread = (path: string, connections: number, requests: number) => (target: Target) =>
  hold(
    target,
    connections,
    (socket) => void socket.write(request(path, target.key).repeat(requests)),
    false,
  );

/** Sends a byte now and then, of a head or of a body. */
function drip(target: Target, start: string): Promise<void> {
  return hold(target, 200, (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write('x'), 500);
    socket.once('close', () => clearInterval(timer));
  });
}

async function sendEndlessBody(target: Target): Promise<void> {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  await hold(target, 20, (socket) => {
    socket.write(post('none', 'Transfer-Encoding: chunked\r\n\r\n'));
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', send);
    send();
  });
}

/** With a checksum that is right: others cost no look-up. */
const guess = () => request('/v1/pets', formatApiKey(randomBytes(32)));

function guessKeys(target: Target): Promise<void> {
  return hold(target, 1_000, (socket) => {
    socket.write(Array.from({ length: 100 }, guess).join(''));
  });
}

/** Stopped right after, the service has them to end. */
async function keepBusy(target: Target): Promise<void> {
  const clients = Array.from({ length: 64 }, () => open(target));
  for (const client of clients) client.write(request('/v1/pets', target.key));
  open(target).write(post(target.key, 'Content-Length: 100\r\n\r\n{"na'));
  await pause(500);
}

/** The ways in which a service is attacked. */
export const attacks: readonly Attack[] = [
  { name: '5,000 pipelined pages, never read', run: unread('/v1/pets?limit=100', 1, 5_000) },
  {
    name: '5,000 pipelined files of /docs, never read',
    run: unread('/docs/static/swagger-ui-bundle.js', 1, 5_000),
  },
  { name: '40 connections, 60 unread pages each', run: unread('/v1/pets?limit=100', 40, 60) },
  { name: '1,000 connections, 60 unread pages each', run: unread('/v1/pets?limit=100', 1_000, 60) },
  { name: '2,000 idle connections', run: (target) => hold(target, 2_000, () => {}) },
  {
    name: '500 half-sent heads',
    run: (target) => hold(target, 500, (socket) => void socket.write('GET /v1/pets HT')),
  },
  {
    name: '200 slow heads',
    run: (target) => drip(target, 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Slow: '),
  },
  {
    name: '200 slow bodies',
    run: (target) => drip(target, post(target.key, 'Content-Length: 5000\r\n\r\n{"name":"')),
  },
  { name: 'endless bodies after 401', run: sendEndlessBody },
  { name: '100,000 invalid keys', run: guessKeys },
  { name: '64 clients and one half-sent request', run: keepBusy },
];
