import dns from 'node:dns';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { portOf } from '../../src/service/http/server/listen.ts';
import type { ServiceOptions } from '../../src/service/open-service.ts';
import { findFreePort } from '../support/free-port.ts';
import { call, expectFailure, post, sendRaw, type TestResponse } from '../support/http.ts';
import { makeFolder } from '../support/make-folder.ts';
import { healthRequest, openConnection, readMetric } from '../support/open-connection.ts';
import { startService, type TestService } from '../support/service.ts';

const noKey = { headers: { authorization: '' } };

/** A service with its two origins. */
async function start({ database, ...overrides }: Partial<ServiceOptions> = {}) {
  const service = await startService({
    ...(database !== undefined && { database }),
    overrides: { metricsPort: 0, ...overrides },
  });
  return { ...service, main: originOf(service, 'url'), metrics: originOf(service, 'metricsUrl') };
}

function originOf(service: TestService, name: 'url' | 'metricsUrl') {
  return { url: new URL(service[name] ?? '').origin, key: service.key };
}

/** What makes two responses the same to who reads them. */
function summarize({ status, text, headers }: TestResponse) {
  const own = ['x-request-id', 'date', 'connection', 'keep-alive'];
  return { status, text, fields: [...headers].filter(([name]) => !own.includes(name)) };
}

/** A port of 127.0.0.1 that is in use until the test is over. */
async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return portOf(server) ?? 0;
}

/** Has the system find this host only when the returned function is called; `wasAsked` once it is looked for. */
function delayLookup(host: string) {
  const { lookup } = dns;
  const delayed: (() => void)[] = [];
  const spy = vi.spyOn(dns, 'lookup').mockImplementation((name: string, ...rest: unknown[]) => {
    if (name === host) delayed.push(() => Reflect.apply(lookup, dns, ['127.0.0.1', ...rest]));
    else Reflect.apply(lookup, dns, [name, ...rest]);
  });
  onTestFinished(() => spy.mockRestore());
  return {
    wasAsked: () => delayed.length > 0,
    find: () => {
      for (const look of delayed) look();
    },
  };
}

describe('the metrics port', () => {
  it.each(['GET', 'HEAD', 'POST', 'DELETE'])(
    'has the health of the service’s port, by %s',
    async (method) => {
      const { main, metrics, close } = await start();
      onTestFinished(close);
      for (const path of ['/healthz', '/readyz']) {
        const response = await call(metrics, path, { ...noKey, method });
        expect(summarize(response)).toEqual(
          summarize(await call(main, path, { ...noKey, method })),
        );
        expect(response.status).toBe(method === 'GET' || method === 'HEAD' ? 200 : 405);
        expect(response.headers.get('x-request-id')).toBeTruthy();
      }
    },
  );

  it('says like the service’s port that an add would not work', async () => {
    const file = path.join(await makeFolder(), 'petstore.db');
    const { main, metrics, close } = await start({ database: `sqlite:${file}` });
    onTestFinished(close);
    await rm(file);
    const readiness = () => call(metrics, '/readyz', noKey);
    await expect.poll(async () => (await readiness()).status, { timeout: 5_000 }).toBe(503);
    const response = await readiness();
    expectFailure(response, 503, 'unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(summarize(response)).toEqual(summarize(await call(main, '/readyz', noKey)));
    expect((await call(metrics, '/healthz', noKey)).status).toBe(200);
  });

  it('has nothing else, whoever asks', async () => {
    const { metrics, close } = await start();
    onTestFinished(close);
    for (const path of ['/', '/v1/pets', '/v1/pets/1', '/docs', '/openapi.json'])
      for (const init of [noKey, {}])
        expectFailure(await call(metrics, path, init), 404, 'not_found');
    const refused = await call(metrics, '/metrics', { ...noKey, method: 'POST' });
    expectFailure(refused, 405, 'method_not_allowed');
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
    expect((await fetch(`${metrics.url}/metrics`, { method: 'HEAD' })).status).toBe(200);
  });

  it('responds to a check in HTTP/1.0 without Host, as HAProxy sends it', async () => {
    const { metrics, close } = await start();
    onTestFinished(close);
    expect(await sendRaw(metrics.url, 'GET /readyz HTTP/1.0\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n.*\{"status":"ready"\}$/s,
    );
  });

  it('counts what it is asked, but not its connections among those of clients', async () => {
    const service = await start();
    onTestFinished(service.close);
    await openConnection(service);
    await openConnection(service.metrics);
    await call(service.metrics, '/readyz', noKey);
    expect(await readMetric(service, 'petstore_connections')).toBe(1);
    const responses = (operation: string) =>
      readMetric(service, `petstore_responses_total{operation="${operation}",status="200"}`);
    expect(await responses('health')).toBe(1);
    expect(await responses('metrics')).toBe(2);
  });

  it('has connections of its own, when the service’s port has no room for more', async () => {
    const limits = { maxConnections: 1, silentTime: 60_000 };
    const { main, metrics, close } = await start({ limits });
    onTestFinished(close);
    const held = await openConnection(main);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, () => call(metrics, '/healthz', noKey)),
    );
    expect(statuses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    held.socket.write(healthRequest);
    await expect.poll(held.statuses).toEqual(['200']);
  });

  it('has 100 connections at most, and room for who asks next', async () => {
    const { metrics, close } = await start();
    onTestFinished(close);
    const oldest = await openConnection(metrics);
    const younger = await Promise.all(Array.from({ length: 99 }, () => openConnection(metrics)));
    expect((await call(metrics, '/healthz', noKey)).status).toBe(200);
    await oldest.closed();
    expect(younger.filter(({ socket }) => socket.readableEnded || socket.closed)).toEqual([]);
  });

  it('is there until the last request is finished, and says that the service stops', async () => {
    const service = await start();
    const { addPets } = service.store;
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let isAdding = false;
    service.store.addPets = async (additions, now) => {
      isAdding = true;
      await held;
      return await addPets(additions, now);
    };
    const inFlight = post(service, '{"name":"Rex","categoryId":7}');
    await expect.poll(() => isAdding).toBe(true);
    const closed = service.close();
    const isRefused = () =>
      call(service.main, '/healthz', noKey).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused).toBe(true);
    const response = await call(service.metrics, '/readyz', noKey);
    expectFailure(response, 503, 'unavailable');
    expect((await call(service.metrics, '/healthz', noKey)).status).toBe(200);
    finish();
    expect((await inFlight).status).toBe(201);
    await closed;
    await expect(call(service.metrics, '/healthz', noKey)).rejects.toThrow();
  });

  it('is named when it is taken, and the service’s port is free again', async () => {
    const metricsPort = await takePort();
    const port = await findFreePort();
    const starting = startService({ overrides: { port, metricsPort } });
    await expect(starting).rejects.toMatchObject({
      ...{ name: 'ListenError', setting: 'metricsPort', port: metricsPort, isInUse: true },
      message: expect.stringContaining('EADDRINUSE'),
    });
    await (await startService({ overrides: { port } })).close();
  });

  it('is taken before the service accepts a client', async () => {
    const [port, metricsPort] = [await takePort(), await takePort()];
    const starting = startService({ overrides: { port, metricsPort } });
    await expect(starting).rejects.toMatchObject({ setting: 'metricsPort', port: metricsPort });
  });

  it('says that the service runs but is not ready until its port listens', async () => {
    const lookup = delayLookup('pets.test');
    const metricsPort = await findFreePort();
    const metrics = { url: `http://127.0.0.1:${metricsPort}`, key: '' };
    const starting = startService({ overrides: { host: 'pets.test', metricsPort } });
    await expect.poll(lookup.wasAsked).toBe(true);
    expectFailure(await call(metrics, '/readyz', noKey), 503, 'unavailable');
    expect((await call(metrics, '/healthz', noKey)).status).toBe(200);
    lookup.find();
    const service = await starting;
    onTestFinished(service.close);
    expect((await call(metrics, '/readyz', noKey)).status).toBe(200);
  });

  it('counts the connections it closes with those of the service’s port', async () => {
    const service = await start();
    onTestFinished(service.close);
    const oldest = await openConnection(service.metrics);
    await Promise.all(Array.from({ length: 100 }, () => openConnection(service.metrics)));
    await oldest.closed();
    const closed = 'petstore_closed_connections_total{limit="connections"}';
    expect(await readMetric(service, closed)).toBeGreaterThan(0);
  });
});
