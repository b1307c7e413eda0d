import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { defaultLimits, type Limits } from '../../../../src/service/http/admission/limits.ts';
import { createReading } from '../../../../src/service/http/admission/reading.ts';
import type { NewConnection } from '../../../../src/service/http/admission/reading-queue.ts';
import { createTurns } from '../../../../src/service/http/admission/turns.ts';
import {
  healthRequest,
  listRequest,
  type OpenConnection,
  openConnection,
} from '../../../support/open-connection.ts';
import { startService, type TestService } from '../../../support/service.ts';

const CROWD = 20;
const REQUESTS = 30;

/** Counts what happens, in all and in the longest turn of the event loop. */
function createTurnCounter() {
  const counts = { all: 0, inTurn: 0, longest: 0 };
  const count = () => {
    if (counts.inTurn === 0) setImmediate(() => Object.assign(counts, { inTurn: 0 }));
    counts.all += 1;
    counts.inTurn += 1;
    counts.longest = Math.max(counts.longest, counts.inTurn);
  };
  return { counts, count };
}

/** Hears of what Node itself reports until the test ends. */
function listen(channel: string, onMessage: (message: unknown) => void): void {
  subscribe(channel, onMessage);
  onTestFinished(() => void unsubscribe(channel, onMessage));
}

/** A service, and how many requests it has read. */
async function startCounting(limits: Partial<Limits>) {
  const service = await startService({ overrides: { limits } });
  onTestFinished(service.close);
  const { counts, count } = createTurnCounter();
  listen('http.server.request.start', count);
  return { service, counts };
}

/** A connection that had its response. */
async function openServed(service: TestService): Promise<OpenConnection> {
  const connection = await openConnection(service);
  connection.socket.write(healthRequest);
  await once(connection.socket, 'data');
  return connection;
}

/** With a crowd of connections on which requests arrive all at once, one that was there before, one that came since. */
async function startCrowded(limits: Partial<Limits>) {
  const { service, counts } = await startCounting(limits);
  const open = () => openServed(service);
  const oldest = await open();
  const crowd = await Promise.all(Array.from({ length: CROWD }, open));
  const newest = await open();
  Object.assign(counts, { all: 0, longest: 0 });
  for (const { socket } of crowd) socket.write(healthRequest.repeat(REQUESTS));
  return { oldest, newest, crowd, counts };
}

it('what arrives on many connections at once is read on one after the other', async () => {
  const { crowd, counts } = await startCrowded({ requestsPerTurn: 40, pipelinedWeight: 1 });
  for (const { statuses } of crowd) await expect.poll(statuses).toHaveLength(1 + REQUESTS);
  // The first connection stays below the limit, the second reaches it.
  expect(counts.longest).toBeLessThanOrEqual(2 * REQUESTS);
});

it.each(['oldest', 'newest'] as const)(
  'the %s connection is read before most of a crowd',
  async (which) => {
    const limits = { requestsPerTurn: 40, pipelinedWeight: 1, deferredPerTurn: 2 };
    const { counts, ...connections } = await startCrowded(limits);
    const { socket } = connections[which];
    const read = once(socket, 'data').then(() => counts.all);
    socket.write(healthRequest);
    expect(await read).toBeLessThan((CROWD * REQUESTS) / 2);
  },
);

/** So many connections that have no network behind them, followed, and a request counted as often as it is called. */
function followSockets(count: number) {
  const overrides = {
    ...{ requestsPerTurn: 40, pipelinedWeight: 1, connectionWeight: 16 },
    deferredPerTurn: 4,
  };
  const limits = { ...defaultLimits, ...overrides };
  const turns = createTurns(limits);
  const reading = createReading(limits, turns);
  const sockets = Array.from({ length: count }, () => new Socket());
  sockets.forEach(reading.follow);
  const countRequests = (requests: number) => {
    for (let read = 0; read < requests; read += 1) reading.count(false);
  };
  return { ...reading, sockets, countRequests };
}

it('fewer requests in a turn have no connection wait', () => {
  const { isBehind, countRequests } = followSockets(1);
  countRequests(39);
  expect(isBehind()).toBe(false);
  countRequests(1);
  expect(isBehind()).toBe(true);
});

it('connections that wait are read from both ends', async () => {
  const { sockets, countRequests } = followSockets(5);
  await nextTurn();
  const resumed: number[] = [];
  for (const [index, socket] of sockets.entries()) socket.on('resume', () => resumed.push(index));
  countRequests(40);
  expect(sockets.map((socket) => socket.isPaused())).toEqual(Array(5).fill(true));
  await nextTurn();
  expect(resumed).toEqual([4, 0, 3, 1, 2]);
});

/** A new connection that brings no health check, unless `more` says otherwise. */
function newConnection(order: number, start: () => void, more: Partial<NewConnection> = {}) {
  return { order, isHealthCheck: () => false, start, ...more };
}

it('a new connection is started at once, and when others wait, a few per turn from both ends', async () => {
  const { begin, countRequests } = followSockets(1);
  const started: number[] = [];
  const beginNew = (order: number) => begin(newConnection(order, () => started.push(order)));
  beginNew(0);
  expect(started).toEqual([0]);
  countRequests(40);
  // In whatever order their first bytes came.
  for (const order of [5, 3, 1, 6, 4, 2]) beginNew(order);
  const turns: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    turns.push(started.splice(0));
  }
  expect(turns).toEqual([[0, 6, 1, 5, 2], [4, 3], []]);
});

it.each([
  // Of four with 20 requests each, the second reaches the 40 of a turn.
  [20, 2],
  [0, 4],
])(
  'of new connections with %i requests %i are started in a turn in which all 40 of the others are read',
  async (requests, perTurn) => {
    const { begin, count, countRequests, sockets } = followSockets(1);
    countRequests(40);
    const started: number[] = [];
    const start = () => {
      started.push(requests);
      for (let read = 0; read < requests; read += 1) count(true);
    };
    for (let turn = 1; turn <= 3; turn += 1) {
      for (let order = 0; order < 5; order += 1) begin(newConnection(order, start));
      await nextTurn();
      expect([started.length, sockets[0]?.isPaused()]).toEqual([perTurn * turn, false]);
      countRequests(40);
      expect(sockets[0]?.isPaused()).toBe(true);
    }
  },
);

it('of new connections that take all of a turn each, the oldest is started as soon as the newest', async () => {
  const { begin, count, countRequests } = followSockets(1);
  countRequests(40);
  const started: number[] = [];
  const beginNew = (order: number) =>
    begin(
      newConnection(order, () => {
        started.push(order);
        for (let read = 0; read < 40; read += 1) count(true);
      }),
    );
  for (let order = 0; order < 4; order += 1) beginNew(order);
  for (let order = 4; order < 8; order += 1) {
    beginNew(order);
    await nextTurn();
  }
  expect(started).toEqual([4, 0, 6, 1]);
});

it('new connections that bring a health check are started before all others, unless more has arrived since', async () => {
  const { begin, count, countRequests } = followSockets(1);
  countRequests(40);
  const started: number[] = [];
  const beginNew = (order: number, isHealthCheck: () => boolean) =>
    begin(
      newConnection(
        order,
        () => {
          started.push(order);
          for (let read = 0; read < 40; read += 1) count(true);
        },
        { isHealthCheck },
      ),
    );
  let isSmall = true;
  for (let order = 0; order < 4; order += 1) beginNew(order, () => false);
  beginNew(4, () => true);
  beginNew(5, () => isSmall);
  for (let order = 6; order < 9; order += 1) beginNew(order, () => false);
  isSmall = false;
  await nextTurn();
  // Each takes all of a turn, and health checks have one of their own.
  expect(started).toEqual([4, 8]);
  for (let turn = 0; turn < 7; turn += 1) await nextTurn();
  expect(started).toEqual([4, 8, 0, 7, 1, 6, 2, 5, 3]);
});

it('a new connection that is closed takes no turn from the others', async () => {
  const { begin, forget, countRequests } = followSockets(1);
  countRequests(40);
  const started: number[] = [];
  const connections = Array.from({ length: 22 }, (_, order) =>
    newConnection(order, () => started.push(order), { isHealthCheck: () => order === 1 }),
  );
  connections.forEach(begin);
  connections.slice(1, 20).forEach(forget);
  await nextTurn();
  expect(started).toEqual([21, 0, 20]);
});

it('health checks wait for each other, from both ends', async () => {
  const { begin, countRequests } = followSockets(1);
  countRequests(40);
  const started: number[] = [];
  for (let order = 0; order < 6; order += 1)
    begin(newConnection(order, () => started.push(order), { isHealthCheck: () => true }));
  await nextTurn();
  expect(started).toEqual([5, 0, 4, 1]);
});

it('a new connection that brings a health check is read before most of a crowd of new ones', async () => {
  const limits = { requestsPerTurn: 40, pipelinedWeight: 1, deferredPerTurn: 2 };
  const { service, counts } = await startCounting(limits);
  const accepted: unknown[] = [];
  listen('net.server.socket', (message) => accepted.push(message));
  const open = () => openConnection(service);
  const crowd = await Promise.all(Array.from({ length: 2 * CROWD + 1 }, open));
  await expect.poll(() => accepted).toHaveLength(crowd.length);
  const checks = crowd.splice(CROWD, 1);
  const read = checks.map(({ socket }) => once(socket, 'data').then(() => counts.all));
  for (const { socket } of crowd) socket.write(listRequest(service.key).repeat(REQUESTS));
  for (const { socket } of checks) socket.write(healthRequest);
  const [readBefore] = await Promise.all(read);
  expect(readBefore).toBeLessThan((CROWD * REQUESTS) / 2);
});

it('many new connections in a turn have the others wait', () => {
  const { begin, isBehind } = followSockets(1);
  const started: number[] = [];
  for (let order = 0; order < 9; order += 1) begin(newConnection(order, () => started.push(order)));
  expect([started, isBehind()]).toEqual([[0, 1, 2], true]);
});

it.each([
  ['ends', (socket: Socket) => socket.push(null)],
  ['fails', (socket: Socket) => socket.destroy(new Error('reset'))],
])('a connection that %s counts as a new one does', async (_how, end) => {
  const { isBehind, sockets } = followSockets(4);
  const seen: boolean[] = [];
  for (const socket of sockets.slice(1)) {
    end(socket.resume());
    // What Node does in this turn of the event loop.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    seen.push(isBehind());
  }
  expect(seen).toEqual([false, false, true]);
});

it('new connections that were closed while they waited leave the others their turn', async () => {
  const { begin, follow, countRequests, sockets } = followSockets(1);
  countRequests(40);
  for (let order = 0; order < 3; order += 1) {
    const start = () => {
      const socket = new Socket();
      follow(socket);
      socket.push(null);
      socket.read();
    };
    begin(newConnection(order, start));
  }
  await nextTurn();
  expect(sockets[0]?.isPaused()).toBe(false);
});

it('connections that are closed at once are handled a few per turn', async () => {
  const { counts, count } = createTurnCounter();
  listen('net.server.socket', (message) =>
    (message as { socket: Socket }).socket.once('end', count),
  );
  const { service } = await startCounting({ requestsPerTurn: 40, connectionWeight: 16 });
  const crowd = await Promise.all(Array.from({ length: CROWD }, () => openServed(service)));
  for (const { socket } of crowd) socket.destroy();
  await expect.poll(() => counts.all).toBe(CROWD);
  expect(counts.longest).toBeLessThan(CROWD / 2);
});

it('a connection that is closed waits no more', async () => {
  const { isBehind, sockets, countRequests } = followSockets(1);
  for (const socket of sockets) await once(socket.destroy(), 'close');
  countRequests(40);
  expect(isBehind()).toBe(false);
});

it('is behind until what has arrived on resumed connections can have been read', async () => {
  const { isBehind, follow, count } = createReading(defaultLimits, createTurns(defaultLimits));
  follow(new Socket());
  expect(isBehind()).toBe(false);
  for (let read = 0; read < defaultLimits.requestsPerTurn; read += 1) count(false);
  const seen = [isBehind()];
  // Resumed in the first of these turns.
  for (let turn = 0; turn < 2; turn += 1) {
    await nextTurn();
    seen.push(isBehind());
  }
  await nextTurn();
  expect([...seen, isBehind()]).toEqual([true, true, false, false]);
});
