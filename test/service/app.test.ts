import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { openApi } from '../../src/contract/openapi.ts';
import { type Store, StoreError } from '../../src/service/storage/store.ts';
import { createTestApp, expectFailure, openTestApp } from '../support/test-app.ts';
import { waitFor } from '../support/wait-for.ts';

const rex = '{"name":"Rex","categoryId":7}';
const shared = await openTestApp({ docs: true });
afterAll(shared.close);

describe('paths and methods', () => {
  it.each(['/v2/pets', '/pets', '/v1pets', '/metrics', '/%ff', '/docs/static/none.js'])(
    '404 for %s, without a key',
    async (url) => {
      expectFailure(await shared.app.inject({ url }), 'not_found');
    },
  );

  it.each(['/v1', '/v1/nothing', '/v1/pets/', '/v1//pets', '/v1/Pets', '/v1/pets/1/toys'])(
    '404 for %s, with a key',
    async (url) => {
      expectFailure(await shared.get(url), 'not_found');
    },
  );

  it.each<[string, NonNullable<InjectOptions['method']>[], string]>([
    ['/v1/pets', ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/v1/pets?limit=1', ['PUT'], 'GET, HEAD, POST'],
    ['/v1/pets/1', ['PUT', 'DELETE', 'POST'], 'GET, HEAD'],
    ['/healthz', ['POST'], 'GET, HEAD'],
    ['/openapi.json', ['DELETE'], 'GET, HEAD'],
  ])('405 with Allow on %s for %j, whatever the body is', async (url, methods, allow) => {
    for (const method of methods) {
      const headers = { 'content-type': 'text/plain' };
      const body = 'x'.repeat(70_000);
      const response = await shared.call({ method, url, headers, body });
      expectFailure(response, 'method_not_allowed', new RegExp(`^this path allows ${allow}$`));
      expect(response.headers.allow).toBe(allow);
    }
  });
});

describe('a slash at the end', () => {
  it.each(['/v1/pets/', '/v1/pets/1/', '/healthz/', '/docs/'])(
    '404 for %s, and why',
    async (url) => {
      expectFailure(await shared.get(url), 'not_found', /without the slash/);
    },
  );
});

describe('X-Request-Id', () => {
  const send = (id: string) =>
    shared.app.inject({ url: '/healthz', headers: { 'x-request-id': id } });

  it.each(['a', 'order-7/2', '00-4bf92f35:1+2=3@till.4_5', 'x'.repeat(128)])(
    'is taken from the request: %s',
    async (id) => {
      expect((await send(id)).headers['x-request-id']).toBe(id);
    },
  );

  it.each([
    ['nothing', ''],
    ['too long', 'x'.repeat(129)],
    ['with a space', 'a b'],
    ['not ASCII', 'é'],
    ['an API key', `pst_${'0'.repeat(49)}`],
    ['with an API key in it', `key=pst_${'0'.repeat(49)}`],
  ])('is a new one when it is %s', async (_, id) => {
    const given = (await send(id)).headers['x-request-id'];
    expect(given).toMatch(/^[\w-]{8}-[0-9a-z]+$/);
    expect(given).not.toBe((await send(id)).headers['x-request-id']);
  });
});

describe('the document and its page', () => {
  it('are served without a key', async () => {
    const document = await shared.app.inject({ url: '/openapi.json' });
    expect(document.json()).toEqual(JSON.parse(JSON.stringify(openApi)));
    const page = await shared.app.inject({ url: '/docs' });
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    const scripts = [...page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)];
    expect(scripts.length).toBeGreaterThan(3);
    for (const [, url = ''] of scripts)
      expect((await shared.app.inject({ url })).statusCode).toBe(200);
  });

  it.each(['/docs/static/%2e%2e/index.js', '/docs/static/a%00b'])(
    'are no way to other files: %s',
    async (url) => {
      expectFailure(await shared.app.inject({ url }), 'not_found');
    },
  );

  it('are where / leads to', async () => {
    const { statusCode, headers } = await shared.app.inject({ url: '/' });
    expect([statusCode, headers.location]).toEqual([302, '/docs']);
  });

  it('are off with --no-docs', async () => {
    const { app } = await createTestApp();
    for (const url of ['/docs', '/openapi.json'])
      expectFailure(await app.inject({ url }), 'not_found');
  });
});

/** A service whose store fails in the way that `failure` says, while it says one. */
async function openFailing(failure: () => Error | undefined) {
  const fail = <Words extends unknown[], Result>(work: (...words: Words) => Result) => {
    return (...words: Words): Result => {
      const error = failure();
      if (error !== undefined) throw error;
      return work(...words);
    };
  };
  const wrapStore = (store: Store): Store => ({
    ...store,
    listPets: fail(store.listPets),
    findPet: fail(store.findPet),
    addPets: fail(store.addPets),
    checkWritable: async () => fail(store.checkWritable)(),
  });
  return await createTestApp({ wrapStore });
}

describe('a database that fails', () => {
  it.each<[string, Error, RegExp]>([
    ['cannot be used', new StoreError('secret of the database'), /cannot be used now/],
    [
      'was lost with the outcome',
      new StoreError('secret', { isOutcomeUnknown: true }),
      /same Idempotency-Key/,
    ],
  ])('503 with Retry-After when it %s, and goes on by itself', async (_, error, message) => {
    let failure: Error | undefined = error;
    const { get, post } = await openFailing(() => failure);
    for (const response of [await get('/v1/pets'), await get('/v1/pets/1'), await post(rex)]) {
      expectFailure(response, 'unavailable', message);
      expect(response.headers['retry-after']).toBe('1');
      expect(response.body).not.toContain('secret');
    }
    failure = undefined;
    expect((await post(rex)).statusCode).toBe(201);
  });

  it('500 without internals for a bug', async () => {
    const { get } = await openFailing(() => new Error('secret'));
    const response = await get('/v1/pets');
    expectFailure(response, 'internal_error');
    expect(response.body).not.toContain('secret');
  });

  it('503 for adds beyond those that may wait, which are added later', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wrapStore = (store: Store): Store => ({
      ...store,
      async addPets(additions, now) {
        await held;
        return await store.addPets(additions, now);
      },
    });
    const { post } = await createTestApp({ wrapStore, limits: { waitingAdds: 2 } });
    const first = post(rex);
    await new Promise(setImmediate);
    const responses = Array.from({ length: 5 }, () => post(rex));
    const refused = await Promise.race(responses);
    expectFailure(refused, 'unavailable', /too many pets are waiting/);
    release();
    const statuses = (await Promise.all([first, ...responses])).map((one) => one.statusCode);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
  });
});

it('a page from before the database was lost is not sent again, though it arrived after that', async () => {
  let losses = 0;
  let reads = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wrapStore = (store: Store): Store => ({
    ...store,
    countLosses: () => losses,
    async listPets({ status }) {
      const json = `[${losses}]`;
      reads += 1;
      if (status === 'sold') await held;
      return { json, next: 1n };
    },
  });
  const { get } = await createTestApp({ wrapStore });
  expect((await get('/v1/pets')).body).toBe('[0]');
  const slow = get('/v1/pets?status=sold');
  await waitFor(() => expect(reads).toBe(2));
  losses = 1;
  expect((await get('/v1/pets')).body).toBe('[1]');
  release();
  expect((await slow).body).toBe('[0]');
  expect((await get('/v1/pets?status=sold')).body).toBe('[1]');
});

describe('/readyz', () => {
  it('says whether an add would work, and again when it does', async () => {
    let failure: Error | undefined;
    const { app } = await openFailing(() => failure);
    const ready = async () => (await app.inject({ url: '/readyz' })).statusCode;
    expect(await ready()).toBe(200);
    failure = new StoreError('full');
    await waitFor(async () => expect(await ready()).toBe(503));
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
    failure = undefined;
    await waitFor(async () => expect(await ready()).toBe(200));
  });

  it('writes at most once a second, however often it is asked', async () => {
    let writes = 0;
    const wrapStore = (store: Store): Store => ({
      ...store,
      checkWritable() {
        writes += 1;
        return store.checkWritable();
      },
    });
    const { app } = await createTestApp({ wrapStore });
    await app.ready();
    expect(writes).toBe(0);
    const started = performance.now();
    for (let count = 0; count < 100; count += 1) await app.inject({ url: '/readyz' });
    expect(writes).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - started) / 1_000));
  });

  it('does not wait for a disk that hangs', async () => {
    const wrapStore = (store: Store): Store => ({
      ...store,
      checkWritable: () => new Promise(() => {}),
    });
    const { app } = await createTestApp({ wrapStore });
    expectFailure(await app.inject({ url: '/readyz' }), 'unavailable');
  });

  it('is 503 while the service stops', async () => {
    const { app, stopping } = await createTestApp();
    stopping.abort();
    expectFailure(await app.inject({ url: '/readyz' }), 'unavailable', /stopping/);
  });
});

it('every response ends its connection once the service stops, also to a request from before', async () => {
  const stopping = new AbortController();
  const wrapStore = (store: Store): Store => ({
    ...store,
    listPets(query) {
      stopping.abort();
      return store.listPets(query);
    },
  });
  const { get } = await createTestApp({ wrapStore, stopping });
  expect((await get('/healthz')).headers.connection).toBe('keep-alive');
  expect((await get('/v1/pets')).headers.connection).toBe('close');
});

describe('the log', () => {
  it('has one line per request, with its id, and no key, query or body', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const { app, key, post } = await createTestApp({ log, behindProxy: true });
    await post('{"name":"Hidden","categoryId":7}', { 'x-request-id': 'till-1' });
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '10.1.2.3' };
    await app.inject({ url: `/v1/pets?key=${key}`, headers });
    await app.inject({ url: `/v1/pets/${key}`, headers });
    await app.inject({ url: '/v1/\u009b31m', headers: { 'x-forwarded-for': '\u001b[2J' } });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        ...{ requestId: 'till-1', method: 'POST', path: '/v1/pets', status: 201 },
        milliseconds: expect.any(Number),
      }),
      expect.objectContaining({ path: '/v1/pets', status: 400, client: '10.1.2.3' }),
      expect.objectContaining({ path: '/v1/pets/pst_…', status: 404 }),
      expect.objectContaining({ status: 401, client: '127.0.0.1' }),
    ]);
    expect(lines.join('')).not.toMatch(/Hidden|pst_\w|[\u001b\u009b]/);
  });
});
