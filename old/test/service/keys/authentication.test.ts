import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { call, expectFailure, type TestResponse } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
afterAll(service.close);

const invalid = formatApiKey(new Uint8Array(32).fill(7));

function expectRefusal(response: TestResponse, challenge: string): void {
  if (response.text !== '') expectFailure(response, 401, 'unauthorized');
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe(challenge);
}

const missing = 'Bearer realm="petstore"';
const refused = 'Bearer realm="petstore", error="invalid_token"';

describe('authentication (5)', () => {
  it.each([
    ['GET', '/pets'],
    ['HEAD', '/pets'],
    ['POST', '/pets'],
    ['GET', '/pets/1'],
    ['GET', '/pets/%ff'],
    ['DELETE', '/pets/1'],
    ['PROPFIND', '/pets'],
    ['GET', '/pets?limit=0'],
    ['GET', '/store/orders'],
    ['GET', ''],
    ['GET', '/'],
  ])('401 before anything else: %s /v1%s', async (method, path) => {
    const without = await call(service, path, { method, headers: { authorization: '' } });
    expectRefusal(without, missing);
    const headers = { authorization: `Bearer ${invalid}` };
    expectRefusal(await call(service, path, { method, headers }), refused);
  });

  it.each([
    ['Bearer'],
    ['Bearer '],
    ['Basic cGV0OnN0b3Jl'],
    [invalid],
    ['Token abc'],
    ['Bearer a b'],
  ])('%j holds no bearer key', async (authorization) => {
    expectRefusal(await call(service, '/pets', { headers: { authorization } }), missing);
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('takes the scheme as %j', async (scheme) => {
    const headers = { authorization: `${scheme} ${service.key}` };
    expect((await call(service, '/pets', { headers })).status).toBe(200);
  });

  it('takes a key nowhere but in the header', async () => {
    const headers = { authorization: '', 'x-api-key': service.key };
    for (const name of ['api_key', 'access_token', 'key'])
      expectRefusal(await call(service, `/pets?${name}=${service.key}`, { headers }), missing);
  });

  it.each([
    ['a wrong letter', (key: string) => key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['a letter missing', (key: string) => key.slice(0, -1)],
    ['a letter too many', (key: string) => `${key}a`],
    ['another case', (key: string) => key.toUpperCase()],
    ['nothing but its prefix', () => 'pst_'],
  ])('refuses a key with %s', async (_, spoil) => {
    const headers = { authorization: `Bearer ${spoil(service.key)}` };
    expectRefusal(await call(service, '/pets', { headers }), refused);
  });

  it('refuses a key from the instant it expires', async () => {
    let now = new Date('2026-11-20T12:00:00Z');
    const own = await startService({ overrides: { now: () => now } });
    onTestFinished(own.close);
    const expiresAt = new Date(now.getTime() + 60_000);
    const issued = await issueKey(own.store, { name: 'short', createdAt: now, expiresAt });
    const ask = () => call({ ...own, key: issued.key }, '/pets');
    expect((await ask()).status).toBe(200);
    now = new Date(expiresAt.getTime() - 1);
    expect((await ask()).status).toBe(200);
    now = expiresAt;
    await expect.poll(async () => (await ask()).status, { timeout: 1_000 }).toBe(401);
  });

  it('refuses a key right after its end, although it was accepted a moment before', async () => {
    let now = new Date('2026-11-20T12:00:00Z');
    const own = await startService({ overrides: { now: () => now } });
    onTestFinished(own.close);
    const expiresAt = new Date(now.getTime() + 150);
    const issued = await issueKey(own.store, { name: 'brief', createdAt: now, expiresAt });
    const ask = async () => (await call({ ...own, key: issued.key }, '/pets')).status;
    expect(await ask()).toBe(200);
    const accepted = performance.now();
    now = expiresAt;
    // The service may trust an accepted key by a clock that nobody can set.
    await waitFor(() => expect(performance.now() - accepted).toBeGreaterThan(150));
    expect(await ask()).toBe(401);
  });

  it('refuses a revoked key within a second, while it is in use', async () => {
    const { key, record } = await issueKey(service.store, { name: 'lost', createdAt: new Date() });
    const ask = () => call({ ...service, key }, '/pets');
    expect((await ask()).status).toBe(200);
    await service.store.revokeKey(record.id, new Date());
    await expect.poll(async () => (await ask()).status, { interval: 20, timeout: 1_000 }).toBe(401);
  });

  it('takes a new key at once', async () => {
    const { key } = await issueKey(service.store, { name: 'new', createdAt: new Date() });
    expect((await call({ ...service, key }, '/pets')).status).toBe(200);
  });

  it('tells every client on /v1 that idempotency keys are honored, also with a 401', async () => {
    for (const headers of [{}, { authorization: '' }])
      for (const path of ['/pets', '/pets/1', '/nothing'])
        expect((await call(service, path, { headers })).headers.get('petstore-idempotency')).toBe(
          '7d',
        );
  });
});

describe('the last use of a key', () => {
  it('is written when the service stops, not per request', async () => {
    const own = await startService();
    await call(own, '/pets');
    const [record] = await own.store.listKeys();
    expect(record?.lastUsedAt).toBeUndefined();
    const uses: unknown[] = [];
    const { recordKeyUses } = own.store;
    own.store.recordKeyUses = async (written) => {
      uses.push(...written);
      await recordKeyUses(written);
    };
    await own.close();
    expect(uses).toEqual([{ id: record?.id, at: expect.any(Date) }]);
  });
});
