import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Limits } from '../../../src/service/http/admission/limits.ts';
import {
  addRequest,
  healthRequest,
  listRequest,
  openConnection,
  readMetric,
} from '../../support/open-connection.ts';
import { startService } from '../../support/service.ts';
import { within } from '../../support/within.ts';

const twoHosts = 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n';
const pet = '{"name":"Rex","categoryId":7}';

/** A service that counts its adds. */
async function start(limits: Partial<Limits> = {}) {
  const service = await startService({ overrides: { metricsPort: 0, limits } });
  const adds = { count: 0 };
  const { addPets } = service.store;
  service.store.addPets = (...parameters) => {
    adds.count += 1;
    return addPets(...parameters);
  };
  return { service, adds, add: addRequest(service.key, `Content-Length: ${pet.length}`, pet) };
}

describe('after a response that closes the connection', () => {
  it('no request is carried out that had arrived before and waits for its turn', async () => {
    const { service, adds, add } = await start();
    onTestFinished(service.close);
    const { socket, statuses, closed } = await openConnection(service);
    socket.write(healthRequest.repeat(30) + twoHosts + add);
    await closed();
    expect(statuses()).toEqual([...Array.from({ length: 30 }, () => '200'), '400']);
    expect(adds.count).toBe(0);
  });

  it('requests are not counted: however many there are, the connection is closed normally', async () => {
    const { service } = await start();
    onTestFinished(service.close);
    const { socket, statuses, closed } = await openConnection(service);
    socket.write(twoHosts + healthRequest.repeat(300));
    await closed();
    expect(statuses()).toEqual(['400']);
    const sample = 'petstore_closed_connections_total{limit="unanswered_requests"}';
    expect(await readMetric(service, sample)).toBe(0);
  });

  it.each([
    ['a request for a proxy', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['what is not HTTP', 'hello\r\n\r\n'],
  ])('%s gets no response, and none is counted', async (_, malformed) => {
    const { service } = await start();
    onTestFinished(service.close);
    const { socket, statuses, closed } = await openConnection(service);
    socket.write(twoHosts + malformed);
    await closed();
    expect(statuses()).toEqual(['400']);
    const sample = 'petstore_responses_total{operation="none",status="400"}';
    expect(await readMetric(service, sample)).toBeNaN();
  });

  it('nothing is responded to that arrives while the one before waits, and has asked to close it', async () => {
    const { service, adds, add } = await start();
    onTestFinished(service.close);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { listPets } = service.store;
    service.store.listPets = (query) => held.then(() => listPets(query));
    const { socket, statuses, closed } = await openConnection(service);
    const closing = listRequest(service.key).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    socket.write(closing + add);
    const health = fetch(new URL('/healthz', service.url));
    expect(await within(health, 'another connection is served')).toMatchObject({ ok: true });
    release();
    await closed();
    expect(statuses()).toEqual(['200']);
    expect(adds.count).toBe(0);
  });

  it('no request is carried out where HTTP/1.0 has no way to say where its response ends', async () => {
    const { service, adds, add } = await start();
    onTestFinished(service.close);
    const { socket, statuses, closed } = await openConnection(service);
    socket.write(`GET /favicon.ico HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${add}`);
    await closed();
    expect(statuses()).toEqual(['204']);
    expect(adds.count).toBe(0);
  });

  it('no request is carried out by a service that stops', async () => {
    const { service, adds, add } = await start({ drainTime: 200 });
    const { socket, statuses, closed } = await openConnection(service);
    const stopped = service.close();
    socket.write(twoHosts + add);
    await closed();
    await within(stopped, 'the service stops');
    expect(statuses()).toEqual(['400']);
    expect(adds.count).toBe(0);
  });

  it('no request is carried out that arrives while its client has not read all of it', async () => {
    const { service, adds, add } = await start({ drainTime: 200 });
    const json = `[${' '.repeat(8 * 1024 * 1024)}]`;
    service.store.listPets = () => ({ json, next: undefined });
    const { socket, text, statuses, closed } = await openConnection(service);
    const stopped = service.close();
    socket.write(listRequest(service.key));
    await within(once(socket, 'data'), 'the response begins');
    socket.pause();
    const arrived = new Promise<void>((resolve) => {
      const onRequest = () => resolve();
      subscribe('http.server.request.start', onRequest);
      onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
    });
    socket.write(add);
    await within(arrived, 'the add arrives');
    socket.resume();
    await within(stopped, 'the service stops when its last response has been read', 5_000);
    await closed();
    expect([statuses(), text().endsWith(' ]')]).toEqual([['200'], true]);
    expect(adds.count).toBe(0);
  });
});

describe('a request is carried out', () => {
  it.each([
    ['of HTTP/1.0 with a length', 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', '200'],
    ['of HTTP/1.1 without one', 'GET /favicon.ico HTTP/1.1\r\nHost: a\r\n\r\n', '204'],
  ])('after a response %s', async (_, first, status) => {
    const { service, adds, add } = await start();
    onTestFinished(service.close);
    const { socket, statuses } = await openConnection(service);
    socket.write(first + add);
    await expect.poll(statuses).toEqual([status, '201']);
    expect(adds.count).toBe(1);
  });
});
