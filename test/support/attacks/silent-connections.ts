import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, countOf, durationOf } from './attack.ts';
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

/** Connections that cost a client nothing. */
export const silentConnections: readonly Attack[] = [
  {
    name: '2,000 connections that send nothing',
    database: 'sqlite',
    inSuite: false,
    async run(target) {
      const sockets = await openSockets(target, 2_000);
      for (const socket of sockets) socket.resume();
      await pause(durationOf(target, 8_000));
      const held = await countSockets(target.pid);
      closeSockets(sockets);
      const broken = held > 200 ? [`${held} sockets held after 8 s of silence`] : [];
      return { seen: `${held} sockets held at the end`, broken };
    },
  },
  {
    name: '2,000 connections that send nothing, each replaced when closed',
    database: 'sqlite',
    inSuite: true,
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
    name: '2,000 connections that had their response and stay open',
    database: 'sqlite',
    inSuite: false,
    async run(target) {
      const sockets = await openSockets(target, 2_000);
      for (const socket of sockets) socket.resume().write(formatRequest({ path: '/healthz' }));
      const waited = await waitForStatus(target, '/healthz', 200, 60_000);
      closeSockets(sockets);
      const broken = (waited ?? Number.POSITIVE_INFINITY) > 11_000 ? ['locked out for 11 s'] : [];
      return { seen: `a further connection after ${waited} ms`, broken };
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
