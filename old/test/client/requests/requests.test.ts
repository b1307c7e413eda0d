import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ClientOptions,
  createPetstoreClient,
  describeCreatePet,
} from '../../../src/client/client.ts';
import { version } from '../../../src/version.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';

const pet = { name: 'Zoë', categoryId: 7n } as const;
const stored = '{"id":1,"name":"Zoë","categoryId":7}';
const pets = (count: number) => `[${Array.from({ length: count }, () => stored).join(',')}]`;
const honored = { 'petstore-idempotency': '7d' };

async function open(respond: RequestListener, options: Partial<ClientOptions> = {}) {
  const received: IncomingMessage[] = [];
  const server = await startHttpServer((request, response) => {
    received.push(request);
    respond(request, response);
  });
  const given = { baseUrl: server.url, apiKey: 'k1', retries: 0, timeout: 5_000, ...options };
  const client = createPetstoreClient(given);
  onTestFinished(client.close);
  return { ...server, client, received };
}

describe('a page', () => {
  it.each([
    [20, {}, 'unknown'],
    [21, {}, 'unknown'],
    [19, {}, 'no'],
    [20, honored, 'no'],
  ])('of %i pets with %j and no link to another: %s', async (count, headers, more) => {
    const { client, requests } = await open(respondJson(200, pets(count), headers));
    expect(await client.listPets()).toMatchObject({ more, next: undefined });
    expect(requests).toEqual(['GET /v1/pets?limit=20']);
  });

  it('is asked for by limit and status, and is full by that limit', async () => {
    const { client, requests } = await open(respondJson(200, pets(2)));
    expect(await client.listPets({ limit: 2, status: 'sold' })).toMatchObject({ more: 'unknown' });
    expect(await client.listPets({ limit: 3 })).toMatchObject({ more: 'no' });
    expect(requests).toEqual(['GET /v1/pets?limit=2&status=sold', 'GET /v1/pets?limit=3']);
  });

  it('leads to the next one below the base URL, without a fragment', async () => {
    const link = '<pets?limit=20&cursor=a#there>; rel="next"';
    const { client, url } = await open(respondJson(200, pets(1), { link }));
    const page = await client.listPets();
    expect(page).toMatchObject({ more: 'yes', request: { url: `${url}/pets?limit=20` } });
    expect(page.next?.href).toBe(`${url}/pets?limit=20&cursor=a`);
  });

  it('of a URL without a limit is full by the default', async () => {
    const { client, url } = await open(respondJson(200, pets(20)));
    expect(await client.listNextPage(new URL(`${url}/pets?cursor=a`))).toMatchObject({
      more: 'unknown',
    });
  });

  it.each([
    ['<https://pets.example.com/v1/pets>', 'at https://pets.example.com, another origin'],
    ['</pets?cursor=a>', 'at /pets, outside of /v1'],
    ['</v12/pets>', 'at /v12/pets, outside of /v1'],
    ['</v1>', 'at /v1, outside of /v1'],
    ['<pets?limit=20#x>', 'from a page to itself as the next page'],
  ])('that leads to %s is refused: %s', async (link, reason) => {
    const { client } = await open(respondJson(200, '[]', { link: `${link}; rel=next` }));
    await expect(client.listPets()).rejects.toMatchObject({
      outcome: 'not_applied',
      failure: {
        ...{ kind: 'unexpected_response', status: 200 },
        reason: reason.startsWith('from') ? `a link ${reason}` : `a link to a next page ${reason}`,
      },
    });
  });
});

describe('a request', () => {
  it('has the key, what it accepts and who sends it, and an id of its own', async () => {
    const { client, received } = await open(respondJson(200, '[]'));
    await client.listPets();
    await client.listPets();
    expect(received[0]?.headers).toMatchObject({
      ...{ authorization: 'Bearer k1', accept: 'application/json' },
      'user-agent': `petstore-cli/${version}`,
      'x-request-id': expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect(received[0]?.headers).not.toHaveProperty('content-type');
    expect(received[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(received[0]?.headers['x-request-id']).not.toBe(received[1]?.headers['x-request-id']);
  });

  it('that adds has its length in bytes, and a key of its own unless one is given', async () => {
    const { client, received } = await open(respondJson(201, stored));
    await client.createPet(pet);
    await client.createPet(pet);
    await client.createPet(pet, { idempotencyKey: 'mine' });
    expect(received[0]?.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'content-length': '30' },
    });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe('mine');
  });

  it.each([
    [{}, false],
    [{ 'idempotency-replayed': 'true' }, true],
    [{ 'idempotency-replayed': 'false' }, false],
  ])('that adds and gets %j was a replay: %s', async (headers, isReplay) => {
    const { client } = await open(respondJson(201, stored, headers));
    expect(await client.createPet(pet)).toEqual({ pet: { ...pet, id: 1n }, isReplay });
  });

  it('for one pet names it', async () => {
    const { client, requests } = await open(respondJson(200, stored));
    expect(await client.getPet(9223372036854775807n)).toEqual({ ...pet, id: 1n });
    expect(requests).toEqual(['GET /v1/pets/9223372036854775807']);
  });

  it('that would add is shown without the key', () => {
    const request = describeCreatePet('https://pets.test/v1', pet, 'mine');
    expect(request).toMatchObject({
      ...{ method: 'POST', body: '{"name":"Zoë","categoryId":7}' },
      headers: { Authorization: 'Bearer [redacted]', 'Idempotency-Key': 'mine' },
    });
    expect(request.url.href).toBe('https://pets.test/v1/pets');
  });

  it('is observed with its result and its time', async () => {
    const seen: unknown[] = [];
    const { client } = await open(respondJson(200, '[]'), {
      trace: {
        request: ({ method, headers }) => seen.push(method, 'Idempotency-Key' in headers),
        result: (_, { ok }, ms) => seen.push(ok, ms >= 0 && ms < 5_000),
      },
    });
    await client.listPets();
    expect(seen).toEqual(['GET', false, true, true]);
  });
});

describe('whether keys are honored', () => {
  it.each([
    [honored, true],
    [{}, false],
  ])('is read from a response with %j, asked for once: %s', async (headers, expected) => {
    const { client, requests } = await open(respondJson(200, '[]', headers));
    expect(await client.honorsIdempotency()).toBe(expected);
    expect(await client.honorsIdempotency()).toBe(expected);
    expect(requests).toEqual(['GET /v1/pets?limit=1']);
  });

  it('is said by an error too: as a response says, else as was recalled', async () => {
    const body = '{"code":"unauthorized","message":"no","status":401}';
    const failureOf = async (headers: Record<string, string>, isRecalled: boolean) => {
      const recallIdempotency = () => isRecalled;
      const { client } = await open(respondJson(401, body, headers), { recallIdempotency });
      return await client.createPet(pet, { idempotencyKey: 'mine' }).catch((error) => error);
    };
    const said = { idempotencyKey: 'mine', outcome: 'not_applied' };
    expect(await failureOf(honored, false)).toMatchObject({ ...said, honorsIdempotency: true });
    expect(await failureOf({}, true)).toMatchObject({ ...said, honorsIdempotency: true });
    expect(await failureOf({}, false)).toMatchObject({ ...said, honorsIdempotency: undefined });
  });
});

it('a 201 whose body is not a pet leaves the outcome unknown', async () => {
  const { client } = await open(respondJson(201, '{}'));
  await expect(client.createPet(pet)).rejects.toMatchObject({
    outcome: 'unknown',
    failure: { kind: 'unexpected_response', status: 201, reason: 'id is required' },
  });
});

it('a page that is not JSON has the mistake in it as the cause', async () => {
  const { client } = await open(respondJson(200, '[{'));
  await expect(client.listPets()).rejects.toMatchObject({
    failure: { reason: 'JSON that is truncated or not valid' },
    cause: expect.any(SyntaxError),
  });
});
