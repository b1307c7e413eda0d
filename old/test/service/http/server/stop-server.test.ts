import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAdmission } from '../../../../src/service/http/admission/admission.ts';
import { createRefusals } from '../../../../src/service/http/admission/refusals.ts';
import { stopServers } from '../../../../src/service/http/server/stop-server.ts';
import { createLog } from '../../../../src/service/monitoring/log.ts';
import { listRequest, openConnection } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';
import { within } from '../../../support/within.ts';

/** A server with one connection, on which a request waits for its response, and what bounds it. */
async function open() {
  const limits = { drainTime: 0 };
  const refusals = createRefusals(createLog(() => {}, 'silent'));
  const admission = createAdmission({ behindProxy: false, limits }, refusals);
  const server = createServer();
  admission.connections.watch(server);
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  const connection = await openConnection({ url: `http://127.0.0.1:${port}` });
  const requested = new Promise((resolve) => server.once('request', resolve));
  connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await within(requested, 'the request arrives');
  return { admission, server, connection };
}

it('no connection is closed as idle while what has arrived on it waits to be read', async () => {
  const limits = { requestsPerTurn: 32, deferredPerTurn: 1 };
  const service = await startService({ overrides: { limits } });
  const connections = await Promise.all(Array.from({ length: 60 }, () => openConnection(service)));
  for (const { socket } of connections) socket.write(listRequest(service.key));
  for (const { statuses } of connections) await expect.poll(statuses).toEqual(['200']);
  const { listPets } = service.store;
  const isRead = new Promise<void>((resolve) => {
    service.store.listPets = (query) => {
      resolve();
      // Longer than several looks for idle connections until all are read.
      for (const end = performance.now() + 5; performance.now() < end; );
      return listPets(query);
    };
  });
  for (const { socket } of connections)
    socket.write(listRequest(service.key).replace('/pets', '/pets?limit=99'));
  await within(isRead, 'the first of them is read');
  await within(service.close(), 'the service stops', 10_000);
  for (const { statuses } of connections) expect(statuses()).toEqual(['200', '200']);
});

it('a connection whose request is still in flight after nine seconds is destroyed', async () => {
  const { admission, server, connection } = await open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = stopServers([server], admission, new AbortController());
  vi.advanceTimersByTime(8_999);
  expect(admission.connections.size).toBe(1);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await within(stopped, 'the server stops');
  await connection.closed();
  expect(connection.statuses()).toEqual([]);
});
