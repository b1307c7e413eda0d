import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createMalformedResponder } from '../../../src/service/http/malformed-http.ts';
import { healthRequest, listRequest, openConnection } from '../../support/open-connection.ts';
import { startService } from '../../support/service.ts';

/** Responds to what is malformed on connections that have no network behind them. */
function open(latest?: ServerResponse, waitForTurn = (work: () => void) => work()) {
  const observed: number[] = [];
  const { onClientError, onConnect } = createMalformedResponder({
    createRequestId: () => 'r-1',
    observe: ({ status }) => void observed.push(status),
    findLatest: () => latest,
    lingering: { close: (socket) => void socket.end(), isClosing: () => false },
    waitForTurn,
  });
  const error = Object.assign(new Error('it is not HTTP'), { code: 'HPE_INVALID_METHOD' });
  return { observed, onConnect, report: (socket: Socket) => onClientError(error, socket) };
}

it('a connection that cannot be written to any more gets no response, and none is counted', () => {
  const { observed, onConnect, report } = open();
  const socket = new Socket().end();
  report(socket);
  onConnect(new IncomingMessage(socket));
  expect(observed).toEqual([]);
});

it('a refusal that waits for an earlier response waits once, however much arrives that is malformed', () => {
  const socket = new Socket();
  const latest = new ServerResponse(new IncomingMessage(socket)).end('not sent yet');
  const { report } = open(latest);
  const before = latest.listenerCount('finish');
  for (let count = 0; count < 3; count += 1) report(socket);
  expect(latest.listenerCount('finish')).toBe(before + 1);
});

it('a malformed connection waits for its turn once, however much arrives on it meanwhile', () => {
  const turns: (() => void)[] = [];
  const { observed, report } = open(undefined, (work) => void turns.push(work));
  const socket = new Socket().on('error', () => {});
  for (let count = 0; count < 3; count += 1) report(socket);
  expect([turns.length, observed]).toEqual([1, []]);
  for (const run of turns) run();
  expect(observed).toEqual([400]);
});

it('connections that break off at once are seen to a few per turn', async () => {
  const service = await startService({ overrides: { limits: { deferredPerTurn: 2 } } });
  onTestFinished(service.close);
  const connections = await Promise.all(Array.from({ length: 12 }, () => openConnection(service)));
  for (const { socket } of connections) socket.write(healthRequest);
  for (const { statuses } of connections) await expect.poll(statuses).toEqual(['200']);
  const counts = { inTurn: 0, longest: 0 };
  const { end } = Socket.prototype;
  // The clients of this process keep their side open.
  const spy = vi.spyOn(Socket.prototype, 'end').mockImplementation(function (
    this: Socket,
    ...words
  ) {
    if (counts.inTurn === 0) setImmediate(() => Object.assign(counts, { inTurn: 0 }));
    counts.inTurn += 1;
    counts.longest = Math.max(counts.longest, counts.inTurn);
    return Reflect.apply(end, this, words);
  });
  onTestFinished(() => spy.mockRestore());
  for (const { socket } of connections) socket.write('GET\r\n\r\n');
  for (const { statuses } of connections) await expect.poll(statuses).toEqual(['200', '400']);
  // So many when they are noticed, and when those that wait have their turn.
  expect(counts.longest).toBeLessThanOrEqual(2 * 2);
});

it('a request that waits gets its response though its body, which nobody reads, is malformed', async () => {
  const service = await startService();
  onTestFinished(service.close);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { listPets } = service.store;
  service.store.listPets = (query) => held.then(() => listPets(query));
  const { socket, text, statuses, closed } = await openConnection(service);
  const chunked = listRequest(service.key).replace(/\r\n$/, 'Transfer-Encoding: chunked\r\n\r\n');
  socket.write(`${chunked}zz\r\n`);
  await openConnection(service);
  release();
  await closed();
  expect(statuses()).toEqual(['200']);
  expect(text()).toContain('Connection: close');
});
