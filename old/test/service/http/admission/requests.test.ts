import { describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../../../src/service/keys/issue-key.ts';
import type { ServiceOptions } from '../../../../src/service/open-service.ts';
import { call, expectFailure, post, type TestResponse } from '../../../support/http.ts';
import { readMetric } from '../../../support/open-connection.ts';
import { startService } from '../../../support/service.ts';

const rex = '{"name":"Rex","categoryId":7}';

/** A service whose reads and adds wait until they are released. */
async function startHeld(limits: NonNullable<ServiceOptions['limits']>) {
  const service = await startService({ overrides: { metricsPort: 0, limits } });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  onTestFinished(service.close);
  onTestFinished(release);
  const { listPets, addPets } = service.store;
  service.store.listPets = (query) => held.then(() => listPets(query));
  service.store.addPets = (additions, now) => held.then(() => addPets(additions, now));
  const { key: otherKey } = await issueKey(service.store, { name: 'other', createdAt: new Date() });
  const root = { url: service.url.replace('/v1', ''), key: service.key };
  return {
    ...{ service, root, release, other: { ...service, key: otherKey } },
    read: () => call(service, '/pets'),
    inFlight: (count: number) =>
      expect.poll(() => readMetric(service, 'petstore_requests_in_flight')).toBe(count),
    countRefused: (limit: string) =>
      readMetric(service, `petstore_refused_requests_total{limit="${limit}"}`),
  };
}

function expectRefusal(response: TestResponse, message: string): void {
  expectFailure(response, 503, 'unavailable');
  expect(response.headers.get('retry-after')).toBe('1');
  expect(response.text).toContain(message);
}

describe('a limit of requests', () => {
  it('of reads leaves adds, what is not found and health alone', async () => {
    const { service, root, read, inFlight, countRefused, release } = await startHeld({
      readsInFlight: 2,
    });
    const waiting = [read(), read()];
    await inFlight(2);
    expectRefusal(await read(), 'too many reads');
    expectRefusal(await call(service, '/pets/1'), 'too many reads');
    expect((await call(root, '/healthz')).status).toBe(200);
    expect((await call(root, '/nowhere')).status).toBe(404);
    const added = post(service, rex);
    await inFlight(3);
    expect(await countRefused('reads')).toBe(2);
    release();
    expect((await added).status).toBe(201);
    for (const one of waiting) expect((await one).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  it('of adds leaves reads alone, and nothing refused is added', async () => {
    const { service, read, inFlight, countRefused, release } = await startHeld({
      addsInFlight: 2,
    });
    const waiting = [post(service, rex), post(service, rex)];
    await inFlight(2);
    expectRefusal(await post(service, rex), 'too many adds are waiting');
    const page = read();
    await inFlight(3);
    expect(await countRefused('adds')).toBe(1);
    release();
    for (const one of waiting) expect((await one).status).toBe(201);
    await page;
    expect((await post(service, rex)).text).toContain('"id":3,');
  });

  it('of adds with one key leaves those with another alone, however the scheme is spelled', async () => {
    const { service, other, inFlight, countRefused, release } = await startHeld({
      addsInFlightOfOneKey: 1,
    });
    const first = post(service, rex);
    await inFlight(1);
    expectRefusal(await post(service, rex), 'with this API key');
    const authorization = `bEARER   ${service.key}`;
    expectRefusal(await post(service, rex, { authorization }), 'with this API key');
    const second = post(other, rex);
    await inFlight(2);
    expect(await countRefused('adds_of_key')).toBe(2);
    release();
    expect((await first).status).toBe(201);
    expect((await second).status).toBe(201);
    expect((await post(service, rex)).status).toBe(201);
  });

  it('of all keeps room for /healthz and /readyz', async () => {
    const { service, root, read, inFlight, countRefused, release } = await startHeld({
      ...{ requestsInFlight: 3, reservedForHealth: 1 },
    });
    const waiting = [read(), post(service, rex)];
    await inFlight(2);
    expectRefusal(await read(), 'too many requests');
    expectRefusal(await post(service, rex), 'too many requests');
    expectRefusal(await call(root, '/openapi.json'), 'too many requests');
    expect((await call(root, '/healthz')).status).toBe(200);
    expect((await call(root, '/readyz')).status).toBe(200);
    expect(await countRefused('requests')).toBe(3);
    release();
    for (const one of waiting) expect((await one).status).toBeLessThan(300);
    await inFlight(0);
    expect((await call(root, '/openapi.json')).status).toBe(200);
  });

  it('does not refuse who has no key with anything but 401', async () => {
    const { service, inFlight } = await startHeld({ addsInFlight: 1 });
    void post(service, rex);
    await inFlight(1);
    expectFailure(await post(service, rex, { authorization: '' }), 401, 'unauthorized');
  });
});
