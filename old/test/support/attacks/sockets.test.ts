import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { portOf } from '../../../src/service/http/server/listen.ts';
import { closeSockets, countHeld, openSocket } from './sockets.ts';

it.skipIf(process.platform !== 'linux')(
  'counts of some connections those that the server still holds, and no others',
  async () => {
    const accepted: Socket[] = [];
    const server = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const target = { port: portOf(server) ?? 0 };
    const [first, second, other] = [
      await openSocket(target),
      await openSocket(target),
      await openSocket(target),
    ];
    onTestFinished(() => {
      closeSockets([first, second, other, ...accepted]);
      server.close();
    });
    const ports = [first.localPort ?? 0, second.localPort ?? 0];
    const countOurs = () => countHeld(process.pid, ports);
    await expect.poll(countOurs).toBe(2);
    for (const socket of accepted) if (socket.remotePort !== ports[0]) socket.destroy();
    await expect.poll(countOurs).toBe(1);
    for (const socket of accepted) socket.destroy();
    await expect.poll(countOurs).toBe(0);
  },
);
