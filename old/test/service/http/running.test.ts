import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, expectFailure, post, sendRaw } from '../../support/http.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startService } from '../../support/service.ts';
import { within } from '../../support/within.ts';

const rex = '{"name":"Rex","categoryId":7}';
const service = await startService();
afterAll(service.close);
const root = { url: service.url.replace('/v1', ''), key: service.key };
const noKey = { headers: { authorization: '' } };

describe('what supervisors ask for', () => {
  it.each([
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ])('%s responds without a key', async (path, body) => {
    expect(await call(root, path, noKey)).toMatchObject({ status: 200, body });
    expect((await call(root, path, { ...noKey, method: 'HEAD' })).status).toBe(200);
  });

  it('/metrics is on a listener of its own on the loopback and counts responses', async () => {
    expectFailure(await call(root, '/metrics', noKey), 404, 'not_found');
    const own = await startService({ overrides: { metricsPort: 0 } });
    onTestFinished(own.close);
    await call(own, '/pets?limit=0');
    await post(own, rex);
    expect(own.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const response = await fetch(own.metricsUrl ?? '');
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    for (const line of [
      /^petstore_responses_total\{operation="listPets",status="400"\} 1$/m,
      /^petstore_responses_total\{operation="createPet",status="201"\} 1$/m,
      /^petstore_response_seconds_bucket\{operation="createPet",le="\+Inf"\} 1$/m,
      /^petstore_response_seconds_count\{operation="createPet"\} 1$/m,
      /^petstore_connections \d+$/m,
      /^petstore_waiting_adds 0$/m,
      /^process_resident_memory_bytes \d+$/m,
      /^process_cpu_seconds_total [\d.]+$/m,
      /^process_start_time_seconds [\d.]+$/m,
      /^nodejs_heap_size_used_bytes \d+$/m,
      /^nodejs_heap_size_total_bytes \d+$/m,
      /^nodejs_eventloop_lag_seconds [\d.e-]+$/m,
      /^nodejs_version_info\{version="v\d+\.\d+\.\d+"\} 1$/m,
    ])
      expect(text).toMatch(line);
    // Every line is a comment or a sample, and every sample has its type (exposition format 0.0.4).
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+)$/);
    expect((await fetch(`${own.metricsUrl}/x`)).status).toBe(404);
  });
});

describe('localhost', () => {
  it('is each of its addresses that this machine has', async () => {
    const own = await startService({ overrides: { host: 'localhost' } });
    const { port } = new URL(own.url);
    expect(own.url).toBe(`http://localhost:${port}/v1`);
    const loopbacks = Object.values(networkInterfaces())
      .flat()
      .flatMap((one) => (one?.address === '127.0.0.1' || one?.address === '::1' ? one : []));
    for (const { address, family } of loopbacks) {
      const host = family === 'IPv6' ? `[${address}]` : address;
      expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
    }
    await own.close();
    for (const { address } of loopbacks) {
      const socket = connect(Number(port), address);
      expect((await once(socket, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });
});

describe('a service whose port is taken', () => {
  it('says so at once, and leaves its database to another', async () => {
    const database = `sqlite:${path.join(await makeFolder(), 'petstore.db')}`;
    const port = Number(new URL(service.url).port);
    const starting = startService({
      database,
      overrides: { port, limits: { drainTime: 60_000 } },
    });
    await expect(within(starting, 'it does not start')).rejects.toThrow('EADDRINUSE');
    await (await startService({ database })).close();
  });
});

describe('stopping', () => {
  it('finishes what is in flight and accepts nothing more', async () => {
    const own = await startService();
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { addPets } = own.store;
    const started = new Promise<void>((resolve) => {
      own.store.addPets = async (additions, now) => {
        resolve();
        await held;
        return await addPets(additions, now);
      };
    });
    const inFlight = post(own, rex);
    await started;
    const closed = own.close();
    await expect
      .poll(() =>
        sendRaw(own.url, 'GET /healthz HTTP/1.1\r\n\r\n').then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    finish();
    const response = await inFlight;
    expect(response.status).toBe(201);
    expect(response.headers.get('connection')).toBe('close');
    await closed;
  });

  it('is not held up by connections that are idle, before or after a request', async () => {
    const own = await startService();
    const { port } = new URL(own.url);
    const idle = connect(Number(port), '127.0.0.1');
    await once(idle, 'connect');
    await call(own, '/pets');
    const begin = performance.now();
    await own.close();
    expect(performance.now() - begin).toBeLessThan(2_000);
    idle.destroy();
  });
});

describe('overload', () => {
  it('503 with Retry-After when too many adds wait, none of them lost or added twice', {
    timeout: 30_000,
  }, async () => {
    const own = await startService({ overrides: { limits: { maxConnections: 5_000 } } });
    onTestFinished(own.close);
    const { addPets } = own.store;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    own.store.addPets = async (additions, now) => {
      await held;
      return await addPets(additions, now);
    };
    let refusedSoFar = 0;
    const requests = Array.from({ length: 1_500 }, async () => {
      const response = await post(own, rex);
      if (response.status === 503) refusedSoFar += 1;
      return response;
    });
    await expect.poll(() => refusedSoFar, { timeout: 20_000 }).toBeGreaterThan(100);
    release();
    const responses = await Promise.all(requests);
    const refused = responses.filter(({ status }) => status === 503);
    for (const response of refused) {
      expectFailure(response, 503, 'unavailable');
      expect(response.headers.get('retry-after')).toBe('1');
    }
    const added = responses.filter(({ status }) => status === 201);
    expect(added.length + refused.length).toBe(1_500);
    expect(new Set(added.map(({ text }) => text)).size).toBe(added.length);
    own.store.addPets = addPets;
    const { text } = await post(own, rex);
    expect(text).toContain(`"id":${added.length + 1},`);
  });
});
