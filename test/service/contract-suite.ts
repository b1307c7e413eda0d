import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/contract/json.ts';
import { GET_PET_SUNSET } from '../../src/contract/operations.ts';
import { encodeNewPet, Pet, Pets } from '../../src/contract/pet.ts';
import { anyNewPet } from '../support/arbitraries.ts';
import { expectFailure, type TestApp, type TestAppOptions } from '../support/test-app.ts';

const rex = '{"name":"Rex","categoryId":7}';

/** The rules of the contract, and what it leaves open (docs/contract-additions.md). @param open a service that is empty */
export function describeContract(open: (options?: TestAppOptions) => Promise<TestApp>): void {
  /** A service with 45 pets, every third sold. */
  async function openWithPets(): Promise<TestApp> {
    const service = await open();
    const additions = range(1, 45).map((id) => {
      const status = id % 3 === 0 ? ('sold' as const) : ('available' as const);
      return { pet: { name: `Pet ${id}`, categoryId: BigInt(id), status }, keyId: 1n };
    });
    await service.store.addPets(additions, new Date());
    return service;
  }

  /** Every id from a path on, following the next links as RFC 8288 has it, and the paths it led over. */
  async function walk({ get }: TestApp, start: string) {
    const ids: number[] = [];
    const paths: string[] = [];
    for (let path: string | undefined = start; path !== undefined; ) {
      const { body, headers } = await get(path);
      paths.push(path);
      ids.push(...v.parse(Pets, parseJson(body)).map(({ id }) => Number(id)));
      const next = /^<([^>]*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
      const { pathname, search } = new URL(next ?? '', `http://localhost${path}`);
      path = next && pathname + search;
    }
    return { ids, paths };
  }

  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  describe('listPets (4.1)', () => {
    it('gives every pet once, from page to page, oldest or newest first, as asked for', async () => {
      const service = await openWithPets();
      expect((await walk(service, '/v1/pets')).ids).toEqual(range(1, 45));
      expect((await walk(service, '/v1/pets?order=desc&limit=7')).ids).toEqual(
        range(1, 45).reverse(),
      );
      const sold = range(1, 15).map((index) => index * 3);
      expect((await walk(service, '/v1/pets?status=sold&limit=4')).ids).toEqual(sold);
      expect((await walk(service, '/v1/pets?status=sold&limit=15')).paths).toHaveLength(1);
    });

    it('gives a bare array of at most 20, and keeps limit, status and order in the link', async () => {
      const service = await openWithPets();
      expect(v.parse(Pets, parseJson((await service.get('/v1/pets')).body))).toHaveLength(20);
      const { paths } = await walk(service, '/v1/pets?limit=7&order=desc&status=sold');
      expect(paths[1]).toMatch(/^\/v1\/pets\?limit=7&status=sold&order=desc&cursor=[\w-]+$/);
    });

    it('keeps lists of different status apart, though limit and cursor are the same', async () => {
      const service = await openWithPets();
      const { paths } = await walk(service, '/v1/pets?status=available&limit=2');
      const [, path = ''] = paths;
      const idsAt = async (at: string) =>
        (await service.get(at)).json<{ id: number }[]>().map(({ id }) => id);
      expect(await idsAt(path)).toEqual([4, 5]);
      expect(await idsAt(path.replace('=available', '=sold'))).toEqual([3, 6]);
      expect(await idsAt(path.replace('status=available&', ''))).toEqual([3, 4]);
    });

    it.each(['?limit=2', '?limit=2&order=desc', '?limit=2&status=available&order=desc'])(
      'shows with %s what was added since it was asked for before',
      async (query) => {
        const { get, post } = await open();
        const list = async () => (await get(`/v1/pets${query}`)).json<{ id: number }[]>();
        for (let count = 1; count <= 4; count += 1) {
          await post(rex);
          const newest = range(1, count).reverse().slice(0, 2);
          const expected = query.includes('desc') ? newest : range(1, Math.min(count, 2));
          expect((await list()).map(({ id }) => id)).toEqual(expected);
        }
      },
    );
  });

  describe('createPet (4.2)', () => {
    it('responds 201 with the pet, available unless given, and where it is', async () => {
      const { post, get } = await open();
      const response = await post(rex);
      expect(response).toMatchObject({
        statusCode: 201,
        body: '{"id":1,"name":"Rex","categoryId":7,"status":"available"}',
      });
      expect(response.headers.location).toBe('pets/1');
      expect((await get('/v1/pets/1')).body).toBe(response.body);
    });

    it('stores exactly what was sent', async () => {
      const { post, get } = await open();
      await fc.assert(
        fc.asyncProperty(anyNewPet(), async (pet) => {
          const response = await post(encodeNewPet(pet));
          const { id, ...stored } = v.parse(Pet, parseJson(response.body));
          expect(stored).toEqual(pet);
          expect((await get(`/v1/pets/${id}`)).body).toBe(response.body);
        }),
        { numRuns: 30 },
      );
    });
  });

  describe('Idempotency-Key', () => {
    const once = { 'idempotency-key': 'once' };

    it('replays the response to the same key and meaning, and says so', async () => {
      const { post, get } = await open();
      const first = await post(rex, once);
      const second = await post(
        ' {"status":"available", "categoryId":7, "name":"\\u0052ex"}',
        once,
      );
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      expect(second.headers['idempotency-replayed']).toBe('true');
      expect([second.statusCode, second.body, second.headers.location]).toEqual([
        201,
        first.body,
        first.headers.location,
      ]);
      expect((await get('/v1/pets')).json()).toHaveLength(1);
    });

    it('422 for another pet under the same key', async () => {
      const { post, get } = await open();
      await post(rex, once);
      expectFailure(await post('{"name":"Max","categoryId":7}', once), 'idempotency_mismatch');
      expect((await get('/v1/pets')).json()).toHaveLength(1);
    });

    it('belongs to the store, not to the API key', async () => {
      const { post, createKey } = await open();
      await post(rex, once);
      const authorization = `Bearer ${await createKey({ name: 'rotated' })}`;
      const retry = await post(rex, { ...once, authorization });
      expect(retry.headers['idempotency-replayed']).toBe('true');
    });

    it('adds one pet however many ask at once: the others get it replayed or 409', async () => {
      const { post, get } = await open();
      const responses = await Promise.all(Array.from({ length: 30 }, () => post(rex, once)));
      const statuses = new Set(responses.map(({ statusCode }) => statusCode));
      expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
      expect((await get('/v1/pets')).json()).toHaveLength(1);
    });

    it('says with each 201 until when it is known, which a replay does not move', async () => {
      let now = Date.parse('2026-11-25T12:00:00.999Z');
      const { post } = await open({ clock: () => new Date(now) });
      const first = await post(rex, once);
      now += 86_400_000;
      const replay = await post(rex, once);
      const expected = { 'idempotency-expires': 'Wed, 02 Dec 2026 12:00:00 GMT' };
      expect(first.headers).toMatchObject(expected);
      expect(replay.headers).toMatchObject({ ...expected, 'idempotency-replayed': 'true' });
      expect((await post(rex)).headers).not.toHaveProperty('idempotency-expires');
    });

    it('is forgotten after seven days, not before', async () => {
      let now = Date.parse('2026-11-25T12:00:00Z');
      const { post } = await open({ clock: () => new Date(now) });
      await post(rex, once);
      now += 7 * 86_400_000 - 1;
      expect((await post(rex, once)).headers['idempotency-replayed']).toBe('true');
      now += 1;
      expect((await post(rex, once)).headers['idempotency-replayed']).toBeUndefined();
    });
  });

  describe('getPet (4.3)', () => {
    it('is gone from 5 December 2030 on, to the instant, and nothing else is', async () => {
      let now = new Date(GET_PET_SUNSET.getTime() - 1);
      const { get, post } = await open({ clock: () => now });
      await post(rex);
      expect((await get('/v1/pets/1')).statusCode).toBe(200);
      now = GET_PET_SUNSET;
      for (const path of ['/v1/pets/1', '/v1/pets/2', '/v1/pets/abc'])
        expectFailure(await get(path), 'operation_removed');
      expect((await get('/v1/pets')).statusCode).toBe(200);
    });

    it('can be rehearsed: only getPet takes the date of --as-of for today', async () => {
      const { get, createKey, call } = await open({ asOf: new Date('2030-12-06') });
      expectFailure(await get('/v1/pets/1'), 'operation_removed');
      const key = await createKey({ name: 'short', expiresAt: new Date(Date.now() + 60_000) });
      const headers = { authorization: `Bearer ${key}` };
      expect((await call({ url: '/v1/pets', headers })).statusCode).toBe(200);
    });
  });

  describe('API keys (5)', () => {
    it('refuses a key that is revoked or expired, at the latest a second later', async () => {
      let now = new Date();
      const { app, store, createKey } = await open({ clock: () => now });
      const expiresAt = new Date(now.getTime() + 60_000);
      const keys = [
        await createKey({ name: 'revoked' }),
        await createKey({ name: 'expired', expiresAt }),
      ];
      const ask = async () =>
        await Promise.all(
          keys.map(async (key) => {
            const headers = { authorization: `Bearer ${key}` };
            return (await app.inject({ url: '/v1/pets', headers })).statusCode;
          }),
        );
      expect(await ask()).toEqual([200, 200]);
      await store.revokeKey(2n, now);
      now = expiresAt;
      // With the room that a busy computer needs.
      await expect.poll(ask, { timeout: 3_000 }).toEqual([401, 401]);
    });

    const attempts: InjectOptions[] = [
      { method: 'POST', url: '/v1/pets', payload: JSON.parse(rex) },
      { method: 'POST', url: '/v1/pets', payload: '{"name":' },
      { method: 'POST', url: '/v1/pets', payload: 'x'.repeat(70_000) },
      { method: 'POST', url: '/v1/pets', payload: rex, headers: { 'idempotency-key': 'used' } },
      { method: 'POST', url: '/v1/pets?access=write', payload: rex },
    ];

    it('403 for an add with a key that may only read, before body and replay', async () => {
      const { app, post, get, createKey } = await open();
      await post(rex, { 'idempotency-key': 'used' });
      const authorization = `Bearer ${await createKey({ name: 'audit', access: 'read' })}`;
      for (const { headers, ...rest } of attempts) {
        const response = await app.inject({ ...rest, headers: { ...headers, authorization } });
        expectFailure(response, 'forbidden');
        expect(response.headers).toMatchObject({
          'www-authenticate': 'Bearer realm="petstore", error="insufficient_scope"',
          'petstore-key': 'access=read',
        });
      }
      expect((await get('/v1/pets')).json()).toHaveLength(1);
    });
  });
}
