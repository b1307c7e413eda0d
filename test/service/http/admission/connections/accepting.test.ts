import { Server, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createAdmission } from '../../../../../src/service/http/admission/admission.ts';
import type { Limits } from '../../../../../src/service/http/admission/limits.ts';
import { createRefusals } from '../../../../../src/service/http/admission/refusals.ts';
import { createLog } from '../../../../../src/service/monitoring/log.ts';

/** Accepts connections that have no network behind them, each with its first byte, and counts those that are started. */
function open(overrides: Partial<Limits>) {
  const refusals = createRefusals(createLog(() => {}, 'silent'));
  const limits = { longestSkip: 60_000, ...overrides };
  const { connections } = createAdmission({ behindProxy: false, limits }, refusals);
  onTestFinished(connections.close);
  const server = new Server();
  let started = 0;
  server.on('connection', () => {
    started += 1;
  });
  connections.watch(server);
  const accept = () => {
    const socket = new Socket();
    Object.defineProperties(socket, { bytesRead: { value: 1 }, readableLength: { value: 1 } });
    server.emit('connection', socket);
    socket.emit('readable');
  };
  return { accept, countStarted: () => started };
}

it('while connections are accepted turn by turn, only as many are started as in one turn', async () => {
  const { accept, countStarted } = open({ deferredPerTurn: 2 });
  for (let turn = 0; turn < 5; turn += 1) {
    accept();
    await nextTurn();
  }
  expect(countStarted()).toBe(2);
  await nextTurn();
  expect(countStarted()).toBe(4);
  await nextTurn();
  expect(countStarted()).toBe(5);
});

it('when every place is taken, those that wait are started while more are accepted', async () => {
  const { accept, countStarted } = open({ deferredPerTurn: 1, maxConnections: 3 });
  for (const expected of [1, 1, 1, 2, 3]) {
    accept();
    await nextTurn();
    expect(countStarted()).toBe(expected);
  }
});
