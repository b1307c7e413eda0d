import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { call, expectFailure, parseRaw, post, sendRaw } from '../../support/http.ts';
import { findNginxObstacle, openNginx } from '../../support/nginx.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { startService, type TestService } from '../../support/service.ts';

const rex = '{"name":"Rex","categoryId":7}';
const json = { 'content-type': 'application/json' };

async function startWithReadKey(database?: string, behindProxy = false) {
  const service = await startService({
    ...(database && { database }),
    pets: [{ name: 'Rex', categoryId: 7n }],
    overrides: { behindProxy },
  });
  const createdAt = new Date();
  const { key } = await issueKey(service.store, { name: 'audit', access: 'read', createdAt });
  return { service, reader: { ...service, key } };
}

const { service, reader } = await startWithReadKey();
afterAll(service.close);

const countPets = async ({ store }: TestService) =>
  JSON.parse((await store.listPets({ after: 0n, limit: 100 })).json).length;

describe('Petstore-Key', () => {
  it.each([
    ['GET', '/pets', 200],
    ['GET', '/pets?limit=0', 400],
    ['HEAD', '/pets', 200],
    ['GET', '/pets/1', 200],
    ['GET', '/pets/99', 404],
    ['GET', '/nothing', 404],
    ['DELETE', '/pets/1', 405],
    ['POST', '/pets', 403],
  ])('is on every response to a valid key: %s %s', async (method, path, status) => {
    // The third response may be a cached one.
    for (let round = 0; round < 3; round += 1) {
      const response = await call(reader, path, { method });
      expect(response.status).toBe(status);
      expect(response.headers.get('petstore-key')).toBe('access=read');
    }
  });

  it('says which access and end the key of this request has, of a cached page too', async () => {
    await service.store.addPets(
      Array.from({ length: 3 }, () => ({
        pet: { name: 'Rex', categoryId: 7n, status: 'sold' as const },
      })),
      new Date(),
    );
    const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
    const createdAt = new Date();
    const { key } = await issueKey(service.store, { name: 'till', createdAt, expiresAt });
    const ask = async (one: string) =>
      (await call({ ...service, key: one }, '/pets?limit=2')).headers.get('petstore-key');
    await ask(reader.key);
    await ask(reader.key);
    expect([await ask(reader.key), await ask(key), await ask(service.key)]).toEqual([
      'access=read',
      `access=write, expires=@${expiresAt.getTime() / 1000}`,
      'access=write',
    ]);
  });

  it('is on no response to another key, nor outside of /v1', async () => {
    for (const authorization of ['', 'Bearer pst_x']) {
      const response = await call(service, '/pets', { headers: { authorization } });
      expect(response.headers.has('petstore-key')).toBe(false);
    }
    const { headers } = await fetch(new URL('/healthz', service.url));
    expect(headers.has('petstore-key')).toBe(false);
  });
});

describe('a key with read access', () => {
  it('is refused an add: 403 forbidden, with a challenge that names the reason', async () => {
    const response = await post(reader, rex);
    expectFailure(response, 403, 'forbidden');
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="petstore", error="insufficient_scope"',
    );
    expect(response.headers.get('petstore-idempotency')).toBe('7d');
  });

  it('is refused before its body and a replay are looked at', async () => {
    const added = await post(service, rex, { 'idempotency-key': 'of-the-till' });
    expect(added.status).toBe(201);
    expectFailure(await post(reader, rex, { 'idempotency-key': 'of-the-till' }), 403, 'forbidden');
    expectFailure(await post(reader, '{"name":'), 403, 'forbidden');
    expectFailure(await post(reader, rex, { 'content-type': 'text/plain' }), 403, 'forbidden');
    expectFailure(await post(reader, 'x'.repeat(70_000)), 403, 'forbidden');
    const expecting = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${reader.key}\r\nContent-Type: application/json\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n`;
    const raw = await sendRaw(service.url, expecting);
    expect(raw).not.toContain('100 Continue');
    expectFailure(parseRaw(raw), 403, 'forbidden');
  });
});

/** Requests that might add a pet, the plain one first. */
const attempts: [method: string, path: string, headers?: Record<string, string>][] = [
  ['POST', '/pets', json],
  ['POST', '/pets', { ...json, 'idempotency-key': 'new' }],
  ['POST', '/pets', { ...json, 'idempotency-key': 'used' }],
  ['POST', '/pets?access=write', json],
  ['POST', '/pets', { ...json, 'petstore-key': 'access=write' }],
  ['POST', '/pets/', json],
  ['POST', '//pets', json],
  ['POST', '/./pets', json],
  ['POST', '/%70ets', json],
  ['POST', '/pets/1', json],
  ['PUT', '/pets', json],
  ['PUT', '/pets/99', json],
  ['PATCH', '/pets/1', json],
  ['DELETE', '/pets/1'],
  ['QUERY', '/pets', json],
  ['POST', '/pets', { ...json, 'x-http-method-override': 'GET' }],
  ['DELETE', '/pets', { ...json, 'x-http-method-override': 'POST' }],
];

const engines = [
  ['SQLite', async () => ({ url: 'sqlite::memory:', drop: async () => {} })],
  ...(findPostgresObstacle() === undefined ? ([['PostgreSQL', createTestSchema]] as const) : []),
] as const;

describe.each(engines)('a key with read access, on %s', (_, createDatabase) => {
  it.skipIf(findNginxObstacle())(
    'writes nothing, whatever is tried, also behind a proxy',
    async () => {
      const database = await createDatabase();
      onTestFinished(database.drop);
      const own = await startWithReadKey(database.url, true);
      onTestFinished(own.service.close);
      await post(own.service, rex, { 'idempotency-key': 'used' });
      const proxy = await openNginx([Number(new URL(own.service.url).port)]);
      onTestFinished(proxy.close);
      for (const url of [own.service.url, `${proxy.url}/v1`])
        for (const [method, path, headers = {}] of attempts) {
          const body = method === 'DELETE' ? {} : { body: rex };
          const response = await call({ url, key: own.reader.key }, path, {
            method,
            headers,
            ...body,
          });
          expect({ method, path, status: response.status }).toMatchObject({
            status: expect.toSatisfy((status) => [403, 404, 405].includes(status)),
          });
          expect(response.headers.has('idempotency-replayed')).toBe(false);
        }
      expect(await countPets(own.service)).toBe(2);
      expect((await post({ ...own.service, url: `${proxy.url}/v1` }, rex)).status).toBe(201);
    },
  );
});
