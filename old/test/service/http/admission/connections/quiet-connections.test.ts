import { Server, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createConnections } from '../../../../../src/service/http/admission/connections/connections.ts';
import { defaultLimits, type Limits } from '../../../../../src/service/http/admission/limits.ts';
import { createRefusals } from '../../../../../src/service/http/admission/refusals.ts';
import { createLog } from '../../../../../src/service/monitoring/log.ts';

/** The connections of a service that have no network behind them, and a clock that is set forward by hand. */
function open(limits: Partial<Limits>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const following: (() => void)[] = [];
  const refusals = createRefusals(createLog(() => {}, 'silent'));
  const connections = createConnections(
    { ...defaultLimits, ...limits },
    {
      refusals,
      turns: { skip: () => {}, next: (work) => void following.push(work) },
      reading: { begin: () => {}, forget: () => {} },
      isWaiting: () => false,
    },
  );
  onTestFinished(connections.close);
  const server = new Server();
  connections.watch(server);
  return {
    connections,
    accept: () => {
      const socket = new Socket();
      Object.defineProperty(socket, 'bytesRead', { value: 0, writable: true });
      server.emit('connection', socket);
      return { socket, receive: () => Object.assign(socket, { bytesRead: socket.bytesRead + 1 }) };
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      vi.advanceTimersByTime(milliseconds);
    },
    startTurn: () => {
      for (const work of following.splice(0)) work();
    },
  };
}

it('one that has received something since the others did is not the one that makes room', () => {
  const { accept, pass } = open({ maxConnections: 2 });
  const [first, second] = [accept(), accept()];
  for (const { receive } of [first, second]) receive();
  pass(500);
  first.receive();
  accept();
  expect([first, second].map(({ socket }) => socket.destroyed)).toEqual([false, true]);
});

it.each([
  ['since they were last looked at', 0],
  ['before', 1],
  ['in each of two intervals', 2],
  ['in each of three intervals', 3],
])('of those that received something %s, the one opened last makes room', (_when, intervals) => {
  const { accept, pass } = open({ maxConnections: 3 });
  const accepted = Array.from({ length: 3 }, accept);
  for (const { receive } of accepted) receive();
  for (let interval = 1; interval <= intervals; interval += 1) {
    pass(500);
    if (interval < intervals) for (const { receive } of accepted) receive();
  }
  const sockets = accepted.map(({ socket }) => socket);
  accept();
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
  accept();
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, true]);
});

it('one that sends nothing is closed when its time is over, and the next look follows soon', () => {
  const { accept, pass } = open({ firstByteTimeout: 100 });
  const { socket } = accept();
  pass(50);
  const later = accept();
  expect(socket.destroyed).toBe(false);
  pass(50);
  expect([socket, later.socket].map(({ destroyed }) => destroyed)).toEqual([true, false]);
  pass(50);
  expect(later.socket.destroyed).toBe(true);
});

it('of thousands that send nothing a few per turn are closed, so that others need not wait for all of them', async () => {
  const { accept, pass, startTurn, connections } = open({
    firstByteTimeout: 100,
    deferredPerTurn: 4,
  });
  const sockets = Array.from({ length: 10 }, () => accept().socket);
  const closed = () => sockets.map(({ destroyed }) => destroyed).lastIndexOf(true) + 1;
  pass(100);
  expect(closed()).toBe(4);
  for (const expected of [8, 10]) {
    await nextTurn();
    // The service, which stops in the middle, asks again and again.
    connections.closeSilent(0);
    startTurn();
    expect(closed()).toBe(expected);
  }
});

it('one whose client is gone before it is accepted has no address to be counted by', () => {
  const { accept, connections } = open({ isExemptAddress: () => false, connectionsPerAddress: 0 });
  expect(accept().socket.remoteAddress).toBeUndefined();
  expect(connections.size).toBe(1);
});

it('all of them are destroyed when the time of a stop is over', () => {
  const { accept, connections } = open({});
  const sockets = [accept(), accept()].map(({ socket }) => socket);
  connections.closeAll();
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

it('one that waits for its turn is not taken for idle when another needs its place', () => {
  const { accept, pass } = open({ maxConnections: 1 });
  const first = accept();
  first.receive();
  Object.defineProperty(first.socket, 'readableLength', { value: 1 });
  first.socket.emit('readable');
  pass(500);
  const second = accept();
  expect([first.socket.destroyed, second.socket.destroyed]).toEqual([false, true]);
});
