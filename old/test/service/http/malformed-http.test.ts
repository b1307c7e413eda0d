import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createMalformedResponder } from '../../../src/service/http/malformed-http.ts';
import { RefusedRequestError } from '../../../src/service/http/request-body.ts';
import { listRequest, openConnection } from '../../support/open-connection.ts';
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

it('a request that ends in the middle is refused in its turn, once', () => {
  const turns: (() => void)[] = [];
  const socket = new Socket();
  const request = new IncomingMessage(socket);
  const errors: Error[] = [];
  request.on('error', (error) => errors.push(error));
  const { report } = open(new ServerResponse(request), (work) => void turns.push(work));
  for (let count = 0; count < 3; count += 1) report(socket);
  expect([turns.length, errors.length]).toEqual([1, 0]);
  for (const run of turns) run();
  expect(errors).toEqual([expect.any(RefusedRequestError)]);
});

it('what is malformed gets its own response when the one before it was sent before its turn', () => {
  const turns: (() => void)[] = [];
  const socket = new Socket().on('error', () => {});
  const request = Object.assign(new IncomingMessage(socket), { complete: true });
  const latest = new ServerResponse(request);
  const { observed, report } = open(latest, (work) => void turns.push(work));
  report(socket);
  Object.defineProperty(latest, 'writableFinished', { value: true });
  latest.end();
  for (const run of turns) run();
  expect(observed).toEqual([400]);
});

it('a malformed request whose client has ended its side gets its response, also in a crowd', async () => {
  const service = await startService();
  onTestFinished(service.close);
  const connections = await Promise.all(Array.from({ length: 40 }, () => openConnection(service)));
  for (const { socket } of connections) socket.end('GET\r\n\r\n');
  for (const { statuses } of connections) await expect.poll(statuses).toEqual(['400']);
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
