import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type AttackOutcome, countOf, durationOf, type Target } from './attack.ts';
import { closeSockets, countSockets, formatRequest, openSockets } from './sockets.ts';

const STEP_MS = 250;

/** Clients that take their time: with the header, with the body, with reading. */
export const slowClients: readonly Attack[] = [
  {
    name: '500 clients that send their header a byte at a time',
    database: 'sqlite',
    inSuite: true,
    async run(target) {
      const start = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ';
      const held = await drip(target, { start, clients: 500, lasts: 14_000 });
      const isOver = !target.isShort && held > 50;
      return toOutcome(held, isOver ? ['headers held their connections for 14 s'] : []);
    },
  },
  {
    name: '500 clients that send their body a byte at a time',
    database: 'sqlite',
    inSuite: true,
    async run(target) {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '10000' };
      const start = formatRequest({ method: 'POST', path: '/v1/pets', key: target.key, headers });
      return toOutcome(await drip(target, { start, clients: 500, lasts: 6_000 }), []);
    },
  },
  {
    name: '200 clients that read a few bytes at a time, 20 requests each',
    database: 'sqlite',
    inSuite: true,
    clientMaySee: ['503'],
    run: readSlowly,
  },
];

function toOutcome(held: number, broken: readonly string[]): AttackOutcome {
  return { seen: `${held} sockets held at the end`, broken };
}

interface Drip {
  readonly start: string;
  readonly clients: number;
  readonly lasts: number;
}

async function drip(target: Target, { start, clients, lasts }: Drip): Promise<number> {
  const sockets = await openSockets(target, countOf(target, clients));
  for (const socket of sockets) socket.resume().write(start);
  for (let spent = 0; spent < durationOf(target, lasts); spent += STEP_MS) {
    await pause(STEP_MS);
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }
  const held = await countSockets(target.pid);
  closeSockets(sockets);
  return held;
}

async function readSlowly(target: Target): Promise<AttackOutcome> {
  const sockets = await openSockets(target, countOf(target, 200));
  const request = formatRequest({ path: '/docs/swagger-ui-bundle.js' });
  for (const socket of sockets) {
    socket.pause();
    socket.write(request.repeat(20));
  }
  for (let spent = 0; spent < durationOf(target, 6_000); spent += STEP_MS) {
    await pause(STEP_MS);
    for (const socket of sockets) readSome(socket);
  }
  closeSockets(sockets);
  return { seen: '', broken: [] };
}

function readSome(socket: Socket): void {
  socket.read(100);
}
