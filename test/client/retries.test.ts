import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient } from '../../src/client/petstore-client.ts';
import type { ClientOptions } from '../../src/client/request.ts';
import { parseRetryAfter } from '../../src/client/response.ts';
import { chooseDelay } from '../../src/client/send.ts';
import { UserError } from '../../src/errors.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';

const onePet = '{"id":1,"name":"Rex","categoryId":7}';
const honored = { 'petstore-idempotency': '7d' };

interface Step {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: string;
}

/** Responds with one step after the other, and to the question whether keys are honored with the headers given. */
async function open(steps: readonly Step[], head = {}, options: Partial<ClientOptions> = {}) {
  let next = 0;
  const keys: unknown[] = [];
  const { url, requests } = await startHttpServer((request, response) => {
    if (request.url?.endsWith('?limit=1')) return respondJson(200, '[]', head)(request, response);
    // The contract has no other method.
    if (request.method === 'HEAD') return response.writeHead(405).end();
    keys.push(request.headers['idempotency-key']);
    const { status, headers, code } = steps[next] ?? { status: 201 };
    next += 1;
    const error = JSON.stringify({ code: code ?? 'unavailable', message: 'words', status });
    const body = request.method === 'GET' ? `[${onePet}]` : onePet;
    response.writeHead(status, { ...json, ...headers }).end(status < 300 ? body : error);
  });
  const client = createPetstoreClient({ baseUrl: new URL(url), apiKey: 'a-key', ...options });
  onTestFinished(client.close);
  return { client, requests, keys };
}

const json = { 'content-type': 'application/json' };
const add = { name: 'Rex', categoryId: 7n };

describe('a read', () => {
  it.each([408, 429, 502, 503, 504])('is sent again after %i', async (status) => {
    const { client, requests } = await open([{ status }, { status: 200 }]);
    await client.eachPage({}).next();
    expect(requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 500])('is not sent again after %i', async (status) => {
    const { client, requests } = await open([{ status }, { status: 200 }]);
    await expect(client.eachPage({}).next()).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('is sent once more per retry, and then fails', async () => {
    const { client, requests } = await open(Array(9).fill({ status: 503 }), {}, { retries: 3 });
    await expect(client.eachPage({}).next()).rejects.toMatchObject({
      status: 503,
      retryable: true,
    });
    expect(requests).toHaveLength(4);
  });

  it.each(['61', '12345678901', '9'.repeat(400), new Date(Date.now() + 3e6).toUTCString()])(
    'fails at once where the service asks to wait %s, more than a minute',
    async (wait) => {
      const { client, requests } = await open([{ status: 503, headers: { 'retry-after': wait } }]);
      await expect(client.eachPage({}).next()).rejects.toMatchObject({
        status: 503,
        retryable: true,
      });
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a write that may have been applied', () => {
  it.each([500, 502, 503, 504, 429, 408])(
    'is sent again after %i, with the same key, to a service that honors keys',
    async (status) => {
      const { client, keys } = await open([{ status, headers: honored }, { status: 201 }]);
      await client.createPet(add, 'one-key');
      expect(keys).toEqual(['one-key', 'one-key']);
    },
  );

  it('is sent again while the first one is still running', async () => {
    const running = { status: 409, code: 'idempotency_conflict', headers: honored };
    const { client, keys } = await open([running, { status: 201 }]);
    await client.createPet(add, 'one-key');
    expect(keys).toHaveLength(2);
  });

  it('asks once whether keys are honored, where a proxy said nothing of it', async () => {
    const { client, requests } = await open([{ status: 502 }, { status: 201 }], honored);
    await client.createPet(add, 'one-key');
    expect(requests).toEqual(['POST /v1/pets', 'GET /v1/pets?limit=1', 'POST /v1/pets']);
  });

  it('is not sent again to a service that does not honor keys', async () => {
    const { client, requests } = await open([{ status: 502 }, { status: 201 }]);
    await expect(client.createPet(add, 'one-key')).rejects.toMatchObject({
      outcome: 'unknown',
      honorsKeys: false,
    });
    expect(requests).toEqual(['POST /v1/pets', 'GET /v1/pets?limit=1']);
  });

  it('stays unknown, whatever a later attempt says', async () => {
    const { client } = await open([{ status: 503, headers: honored }, { status: 401 }]);
    await expect(client.createPet(add, 'one-key')).rejects.toMatchObject({
      status: 401,
      outcome: 'unknown',
      exitCode: 9,
    });
  });
});

it('a write that waits to be sent again is not, once the program is stopped', async () => {
  const stopping = new AbortController();
  const later = { status: 503, headers: { ...honored, 'retry-after': '60' } };
  const { client, keys } = await open(
    [later, { status: 201 }],
    {},
    {
      ...{ signal: stopping.signal, finishesWrites: true },
      trace: (mark) => mark === '*' && stopping.abort(new UserError('cli_interrupted', 'Stopped.')),
    },
  );
  await expect(client.createPet(add, 'one-key')).rejects.toMatchObject({ outcome: 'unknown' });
  expect(keys).toHaveLength(1);
});

describe('whether the very same line may succeed', () => {
  it.each([408, 429, 500, 501, 502, 503, 504])('is said of a read after %i', async (status) => {
    const { client } = await open([{ status }], {}, { retries: 0 });
    await expect(client.eachPage({}).next()).rejects.toMatchObject({ retryable: true });
  });

  it.each([400, 401, 403, 404, 409, 410])('is denied of a read after %i', async (status) => {
    const { client } = await open([{ status }], {}, { retries: 0 });
    await expect(client.eachPage({}).next()).rejects.toMatchObject({ retryable: false });
  });

  it.each([408, 429])('is said of a write after %i: it was not applied', async (status) => {
    const { client } = await open([{ status }], {}, { retries: 0 });
    await expect(client.createPet(add, 'one-key')).rejects.toMatchObject({ retryable: true });
  });

  it.each([500, 502, 503])('is denied of a write after %i: it may be there', async (status) => {
    const { client } = await open([{ status, headers: honored }], {}, { retries: 0 });
    await expect(client.createPet(add, 'one-key')).rejects.toMatchObject({ retryable: false });
  });
});

it('a pet that cannot be read says whether its key is honored', async () => {
  const { url } = await startHttpServer((_request, response) => {
    response.writeHead(201, { ...json, ...honored }).end('{');
  });
  const client = createPetstoreClient({ baseUrl: new URL(url), apiKey: 'a-key' });
  onTestFinished(client.close);
  const added = client.createPet(add, 'one-key');
  await expect(added).rejects.toMatchObject({ outcome: 'unknown', honorsKeys: true });
});

it('a request that has ended leaves nothing on the signal that stops the program', async () => {
  const { signal } = new AbortController();
  const { client } = await open([{ status: 503 }, { status: 200 }], {}, { signal });
  await client.eachPage({}).next();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a replayed response is told from a new pet', async () => {
  const { client } = await open([{ status: 201, headers: { 'idempotency-replayed': 'true' } }]);
  expect((await client.createPet(add, 'one-key')).isReplayed).toBe(true);
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-25T10:00:00Z');

  it('in seconds is read as it is', () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => parseRetryAfter(String(seconds), now) === seconds),
    );
  });

  it('as a date is the time until then, never less than none', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), (seconds) => {
        const date = new Date(now + seconds * 1000).toUTCString();
        return parseRetryAfter(date, now) === Math.max(0, seconds);
      }),
    );
  });

  it.each([
    ['12345678901', 12345678901],
    [['5', '70'], 70],
    ['5, 70', 70],
    [' 70 ', 70],
    ['Wednesday, 25-Nov-26 10:00:07 GMT', 7],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is read as %j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it('is waited for, with some more so that not all clients return at once', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(60), (attempts, seconds) => {
        const delay = chooseDelay(attempts, seconds) - seconds * 1000;
        return delay >= 0 && delay <= Math.min(10_000, 200 * 2 ** attempts);
      }),
    );
  });
});
