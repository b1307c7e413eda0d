import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createFirstBytes } from '../../../../../src/service/http/admission/connections/first-bytes.ts';
import type { NewConnection } from '../../../../../src/service/http/admission/reading-queue.ts';

/** Accepted connections that have no network behind them, and those that wait for their turn. */
function accept(count: number, firstBytes = 10) {
  const waiting: NewConnection[] = [];
  const started: number[] = [];
  const { startWhenReadable, isHolding } = createFirstBytes(
    { firstBytes },
    {
      begin: (connection) => waiting.push(connection),
      forget: (connection) => {
        const index = waiting.indexOf(connection);
        if (index >= 0) waiting.splice(index, 1);
      },
    },
  );
  const sockets = Array.from({ length: count }, (_, index) => {
    const socket = new Socket();
    startWhenReadable(socket, () => void started.push(index));
    return socket;
  });
  const receive = (index: number, bytes: number) => {
    const socket = sockets[index];
    Object.defineProperty(socket, 'readableLength', { value: bytes, configurable: true });
    socket?.emit('readable');
  };
  const listHeld = () => sockets.flatMap((socket, index) => (isHolding(socket) ? [index] : []));
  return { sockets, waiting, started, receive, listHeld };
}

it('a connection has the place at which it was accepted, whenever its first bytes come', () => {
  const { waiting, receive } = accept(3);
  for (const index of [2, 0, 1]) receive(index, 1);
  expect(waiting.map(({ order }) => order)).toEqual([3, 1, 2]);
});

it('one that is closed before its turn makes room for the bytes of others', async () => {
  const { sockets, waiting, started, receive, listHeld } = accept(3);
  receive(0, 6);
  receive(1, 4);
  const [first = new Socket()] = sockets;
  await once(first.destroy(), 'close');
  receive(2, 6);
  expect([started, listHeld()]).toEqual([[], [1, 2]]);
  expect(waiting.map(({ order }) => order)).toEqual([2, 3]);
});

it('one that is started because it brings too much waits no longer', () => {
  const { waiting, started, receive } = accept(1);
  receive(0, 6);
  receive(0, 11);
  expect([started, waiting]).toEqual([[0], []]);
});

it('one whose bytes are too many beside those that wait is started at once', () => {
  const { waiting, started, receive, listHeld } = accept(3);
  receive(0, 6);
  receive(0, 10);
  expect([started, listHeld()]).toEqual([[], [0]]);
  receive(1, 1);
  expect([started, listHeld()]).toEqual([[1], [0]]);
  for (const { start } of [...waiting]) start();
  receive(2, 10);
  expect([started, listHeld()]).toEqual([[1, 0], [2]]);
});
