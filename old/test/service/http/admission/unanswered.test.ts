import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../../../support/http.ts';
import {
  healthRequest,
  listRequest,
  openConnection,
  readMetric,
} from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';

async function start(limits: object, pets: { name: string; categoryId: bigint }[] = []) {
  const service = await startService({ pets, overrides: { metricsPort: 0, limits } });
  onTestFinished(service.close);
  const countClosed = (limit: string) =>
    readMetric(service, `petstore_closed_connections_total{limit="${limit}"}`);
  return { service, countClosed };
}

it('as many requests of a connection as may be unanswered all get their response', async () => {
  const { service } = await start({});
  const { socket, statuses } = await openConnection(service);
  socket.write(healthRequest.repeat(256));
  await expect.poll(statuses).toHaveLength(256);
  socket.write(healthRequest.repeat(256));
  await expect.poll(statuses).toHaveLength(512);
});

it('of a connection that was closed for too many requests, what follows is not aborted with an error each', async () => {
  const { service } = await start({});
  const requests: IncomingMessage[] = [];
  const onRequest = (message: unknown) => {
    const { request } = Object(message);
    if (request instanceof IncomingMessage) requests.push(request);
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  const { socket, closed } = await openConnection(service);
  socket.write(healthRequest.repeat(1_000));
  await closed();
  await expect.poll(() => requests.filter(({ destroyed }) => !destroyed)).toEqual([]);
  expect(requests.length).toBeGreaterThan(257);
  expect(requests.filter(({ errored }) => errored !== null).length).toBeLessThanOrEqual(257);
});

it.each([
  ['responded to at once', healthRequest],
  ['waiting', undefined],
])('a connection with more unanswered requests is closed, those %s', async (_, request) => {
  const { service, countClosed } = await start({});
  service.store.listPets = () => new Promise(() => {});
  const { socket, closed } = await openConnection(service);
  socket.write((request ?? listRequest(service.key)).repeat(300));
  await closed();
  expect(await countClosed('unanswered_requests')).toBe(1);
  const other = await openConnection(service);
  other.socket.write(healthRequest);
  await expect.poll(other.statuses).toEqual(['200']);
});

it('too many pipelined requests in all close the connection with most of them', async () => {
  const { service, countClosed } = await start({ pipelinedRequests: 30 });
  const { listPets } = service.store;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.store.listPets = (query) => held.then(() => listPets(query));
  const connections = await Promise.all(Array.from({ length: 3 }, () => openConnection(service)));
  const [worst, ...others] = connections;
  worst?.socket.write(listRequest(service.key).repeat(20));
  const single = await openConnection(service);
  for (const { socket } of others) socket.write(listRequest(service.key).repeat(10));
  single.socket.write(listRequest(service.key));
  await worst?.closed();
  expect(await countClosed('unanswered_requests')).toBe(1);
  release();
  for (const { statuses } of others) await expect.poll(statuses).toHaveLength(10);
  await expect.poll(single.statuses).toEqual(['200']);
});

it('too many unread bytes close the connection with most of them', async () => {
  const { service, countClosed } = await start({ unreadBytes: 200_000 });
  const request = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';
  const [worst, other] = [await openConnection(service), await openConnection(service)];
  for (const { socket } of [worst, other]) socket.pause();
  other.socket.write(request);
  worst.socket.write(request.repeat(100));
  await expect.poll(() => countClosed('unread_responses')).toBe(1);
  other.socket.resume();
  await expect.poll(() => other.text().length).toBeGreaterThan(1_000_000);
});

const sampleOfList = 'petstore_responses_total{operation="listPets",status="200"}';

/** More than the system takes for a client that does not read. */
const largePage = { json: `[${' '.repeat(8 * 1024 * 1024)}]`, next: undefined };

it('what a client has not read of a response that needed no waiting is counted, too', async () => {
  const { service, countClosed } = await start({ unreadBytes: 100_000 });
  // The key is known from here on.
  await call(service, '/pets');
  service.store.listPets = () => largePage;
  const { socket } = await openConnection(service);
  socket.pause().write(listRequest(service.key));
  await expect.poll(() => countClosed('unread_responses')).toBe(1);
});

it('a request that has waited is counted once while its response is not read', async () => {
  const { service, countClosed } = await start({ unansweredRequests: 1 });
  service.store.listPets = async () => largePage;
  const { socket } = await openConnection(service);
  socket.pause().write(listRequest(service.key));
  await expect.poll(() => readMetric(service, sampleOfList)).toBe(1);
  expect(await countClosed('unanswered_requests')).toBe(0);
});
