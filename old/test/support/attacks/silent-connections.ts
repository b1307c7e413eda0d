import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../wait-for.ts';
import { type Attack, countOf, durationOf, type Target } from './attack.ts';
import { waitForStatus } from './call.ts';
import {
  closeSockets,
  countHeld,
  countSockets,
  formatRequest,
  openSocket,
  openSockets,
} from './sockets.ts';

/** How long after its error a connection may be held, with a second for a busy machine. */
const HELD_AFTER_ERROR_MS = 2_000;

/** A bare server of Node takes longer than the usual bound as well. */
const HEALTH_AMONG_ITS_LIKE_MS = 500;

/** Beside 2,000 connections there is no room for the few of the client. */
const MAX_RESENT = 5;

/** What the service holds at most once a crowd is gone. */
const OTHER_SOCKETS = 50;

/** Opens connections a few at a time, as a crowd of clients does, and waits for a response on each. */
async function openServed(target: Target, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  let left = count;
  const openOne = async () => {
    while (left > 0) {
      left -= 1;
      const socket = await openSocket(target);
      sockets.push(socket);
      const responded = new Promise<void>((resolve) =>
        socket
          .once('data', () => resolve())
          .once('end', resolve)
          .once('close', () => resolve()),
      );
      socket.resume().write(formatRequest({ path: '/healthz' }));
      await responded;
    }
  };
  await Promise.all(Array.from({ length: 32 }, openOne));
  return sockets;
}

async function waitUntilClosed({ pid }: Target): Promise<void> {
  await waitFor(async () => {
    const held = await countSockets(pid);
    if (held > OTHER_SOCKETS) throw new Error(`${held} sockets held`);
  });
}

/** Connections that cost a client nothing. */
export const silentConnections: readonly Attack[] = [
  {
    name: '2,000 connections that send nothing',
    database: 'sqlite',
    inSuite: false,
    maxResent: MAX_RESENT,
    async run(target) {
      const sockets = await openSockets(target, 2_000);
      for (const socket of sockets) socket.resume();
      await pause(durationOf(target, 8_000));
      const held = await countSockets(target.pid);
      closeSockets(sockets);
      const broken = held > OTHER_SOCKETS ? [`${held} sockets held after 8 s of silence`] : [];
      return { seen: `${held} sockets held at the end`, broken };
    },
  },
  {
    name: '2,000 connections that send nothing, each replaced when closed',
    database: 'sqlite',
    inSuite: true,
    maxResent: MAX_RESENT,
    async run(target) {
      const until = performance.now() + durationOf(target, 8_000);
      let opened = 0;
      const holdOne = async () => {
        while (performance.now() < until) {
          const socket = await openSocket(target);
          opened += 1;
          socket.resume();
          const left = Math.max(1, until - performance.now());
          await new Promise<void>((resolve) => {
            socket.once('end', resolve).once('close', () => resolve());
            setTimeout(resolve, left);
          });
          socket.destroy();
          await pause(100);
        }
      };
      await Promise.all(Array.from({ length: countOf(target, 2_000) }, holdOne));
      return { seen: `${opened} opened`, broken: [] };
    },
  },
  {
    name: '2,000 connections that had their response and stay open, then all closed at once',
    database: 'sqlite',
    inSuite: true,
    async run(target) {
      const sockets = await openServed(target, countOf(target, 2_000));
      const waited = await waitForStatus(target, '/healthz', 200, 60_000);
      const broken = (waited ?? Number.POSITIVE_INFINITY) > 11_000 ? ['locked out for 11 s'] : [];
      closeSockets(sockets);
      await waitUntilClosed(target);
      return { seen: `a further connection after ${waited} ms`, broken };
    },
  },
  {
    name: '2,000 connections that had their response, all reset at once',
    database: 'sqlite',
    inSuite: true,
    async run(target) {
      const sockets = await openServed(target, countOf(target, 2_000));
      for (const socket of sockets) socket.resetAndDestroy();
      await waitUntilClosed(target);
      return { seen: '', broken: [] };
    },
  },
  {
    name: '2,000 requests for /healthz at once, each on a new connection',
    database: 'sqlite',
    inSuite: false,
    maxResent: MAX_RESENT,
    healthBound: HEALTH_AMONG_ITS_LIKE_MS,
    async run(target) {
      const sockets = await openSockets(target, 2_000);
      for (const socket of sockets) socket.resume().write(formatRequest({ path: '/healthz' }));
      const waited = await waitForStatus(target, '/healthz', 200, 60_000);
      closeSockets(sockets);
      const broken = (waited ?? Number.POSITIVE_INFINITY) > 11_000 ? ['locked out for 11 s'] : [];
      const seen = `a further connection after ${waited} ms; /healthz may take ${HEALTH_AMONG_ITS_LIKE_MS} ms`;
      return { seen, broken };
    },
  },
  {
    name: '500 half-open connections: an error sent, the client never closes',
    database: 'sqlite',
    inSuite: false,
    async run(target) {
      const sockets = await openSockets(target, countOf(target, 500));
      const ports = sockets.flatMap(({ localPort }) => localPort ?? []);
      for (const socket of sockets) socket.resume().write('GET\r\n\r\n');
      await pause(HELD_AFTER_ERROR_MS);
      const held = await countHeld(target.pid, ports);
      closeSockets(sockets);
      const broken = held > 20 ? [`${held} sockets held 2 s after their error`] : [];
      return { seen: `${held} sockets held after 2 s`, broken };
    },
  },
];
