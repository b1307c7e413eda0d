import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient, petToJson } from '../../src/index.ts';
import { respondJson, startHttpServer } from '../support/http-server.ts';
import { startService } from '../support/service.ts';

const apiKey = 'some-key-1234';

async function open(pets: number) {
  const names = Array.from({ length: pets }, (_, index) => ({
    name: `Pet ${index + 1}`,
    categoryId: 7n,
    status: index % 2 === 0 ? ('available' as const) : ('sold' as const),
  }));
  const service = await startService({ pets: names });
  onTestFinished(service.close);
  const client = createPetstoreClient({ baseUrl: service.url, apiKey: service.key });
  onTestFinished(client.close);
  return client;
}

describe('pets of the library', () => {
  it('reads every pet of a status over all pages', async () => {
    const client = await open(250);
    const ids: bigint[] = [];
    for await (const { id } of client.pets({ status: 'sold' })) ids.push(id);
    expect(ids).toEqual(Array.from({ length: 125 }, (_, index) => BigInt(2 * index + 2)));
  });

  it('reads no further page once its reader leaves', async () => {
    const page = JSON.stringify([{ id: 1, name: 'Rex', categoryId: 7 }]);
    const link = '<?cursor=next>; rel="next"';
    const { url, requests } = await startHttpServer(respondJson(200, page, { link }));
    const client = createPetstoreClient({ baseUrl: url, apiKey });
    for await (const { name } of client.pets()) {
      expect(name).toBe('Rex');
      break;
    }
    await client.close();
    expect(requests).toEqual(['GET /v1/pets?limit=100']);
  });

  it('is not led around in a circle', async () => {
    const page = JSON.stringify([{ id: 1, name: 'Rex', categoryId: 7 }]);
    const link = '<?cursor=next>; rel="next"';
    const { url } = await startHttpServer(respondJson(200, page, { link }));
    const client = createPetstoreClient({ baseUrl: url, apiKey });
    onTestFinished(client.close);
    await expect(async () => {
      for await (const _ of client.pets());
    }).rejects.toMatchObject({ name: 'RequestError' });
  });
});

it('petToJson keeps every digit', () => {
  const pet = { id: 9007199254740993n, name: 'Zoë "Z"', categoryId: 9223372036854775807n };
  expect(petToJson(pet)).toBe(
    '{"id":9007199254740993,"name":"Zoë \\"Z\\"","categoryId":9223372036854775807}',
  );
});

it('takes a base URL with a slash at its end, and the next page that a page names', async () => {
  const json = '[{"id":1,"name":"Rex","categoryId":7}]';
  const link = '<?cursor=next>; rel="next"';
  const { url, requests } = await startHttpServer((request, response) => {
    const isLast = request.url?.includes('cursor');
    respondJson(200, json, isLast ? {} : { link })(request, response);
  });
  const client = createPetstoreClient({ baseUrl: `${url}/`, apiKey });
  onTestFinished(client.close);
  const { next } = await client.listPets();
  if (next !== undefined) await client.listNextPage(next);
  expect(requests).toEqual(['GET /v1/pets?limit=20', 'GET /v1/pets?cursor=next']);
});

describe('arguments of another type, as a program without types may give them', () => {
  it('are refused', async () => {
    expect(() => createPetstoreClient({ baseUrl: JSON.parse('7'), apiKey })).toThrow(
      new TypeError('options: baseUrl: must be a string'),
    );
    const client = createPetstoreClient({ baseUrl: 'http://localhost/v1', apiKey });
    onTestFinished(client.close);
    await expect(client.listPets(JSON.parse('7'))).rejects.toThrow(
      new TypeError('query: must be an object'),
    );
    await expect(client.listNextPage(JSON.parse('"http://localhost/v1/pets"'))).rejects.toThrow(
      new TypeError('next: must be the URL that a page has as next'),
    );
  });
});

describe('arguments are checked before anything is sent', () => {
  it.each([
    [{ baseUrl: 'pets', apiKey }, 'options: baseUrl: cannot be used: it is not a URL'],
    [{ baseUrl: 'http://pets.our-store.test/v1', apiKey }, 'plain http'],
    [{ baseUrl: 'https://pets.our-store.test', apiKey }, 'must end in /v1'],
    [{ baseUrl: 'http://localhost/v1', apiKey: 'a\nb' }, 'apiKey: must be printable ASCII'],
    [{ baseUrl: 'http://localhost/v1', apiKey: '' }, 'apiKey: must be printable ASCII'],
    [{ baseUrl: 'http://localhost/v1', apiKey, timeout: 0 }, 'timeout: must be 1 or more'],
    [{ baseUrl: 'http://localhost/v1', apiKey, retries: 1.5 }, 'retries: must be a whole number'],
  ])('%j', (options, message) => {
    expect(() => createPetstoreClient(options)).toThrow(TypeError);
    expect(() => createPetstoreClient(options)).toThrow(message);
  });

  type Client = ReturnType<typeof createPetstoreClient>;
  const limited = { status: 'sold' as const, limit: 3 };
  const mistakes: [name: string, call: (client: Client) => Promise<unknown>, message: string][] = [
    [
      'a limit of every pet',
      async (client) => await client.pets(limited).next(),
      'query: limit: is not a parameter here',
    ],
    ['a limit of 0', (client) => client.listPets({ limit: 0 }), 'query: limit: must be 1 or more'],
    ['a limit of 101', (client) => client.listPets({ limit: 101 }), 'limit: must be 100 or less'],
    ['a limit of 1.5', (client) => client.listPets({ limit: 1.5 }), 'must be a whole number'],
    [
      'a pet without a name',
      (client) => client.createPet({ name: '', categoryId: 7n }),
      'pet: name',
    ],
    [
      'a category beyond int64',
      (client) => client.createPet({ name: 'Rex', categoryId: 2n ** 63n }),
      'pet: categoryId: must be an int64 integer',
    ],
    [
      'an idempotency key with a blank',
      (client) => client.createPet({ name: 'Rex', categoryId: 7n }, { idempotencyKey: 'a b' }),
      'options: idempotencyKey: must be printable ASCII',
    ],
    ['an id beyond int64', (client) => client.getPet(2n ** 63n), 'id: must be an int64 integer'],
    [
      'a next page elsewhere',
      (client) => client.listNextPage(new URL('https://evil.example/v1/pets')),
      'next: must be below',
    ],
  ];
  it.each(mistakes)('%s', async (_, call, message) => {
    const { url, requests } = await startHttpServer(respondJson(200, '[]'));
    const client = createPetstoreClient({ baseUrl: url, apiKey });
    onTestFinished(client.close);
    const failure = await call(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect(failure).toMatchObject({ message: expect.stringContaining(message) });
    expect(requests).toEqual([]);
  });
});

describe('a next page of the same host is refused, and the key not sent there', () => {
  it.each<[what: string, move: (next: URL) => unknown]>([
    ['another port', (next) => Object.assign(next, { port: '1' })],
    ['another scheme', (next) => Object.assign(next, { protocol: 'https:' })],
    ['outside of the base path', (next) => Object.assign(next, { pathname: '/v10/pets' })],
  ])('%s', async (_, move) => {
    const { url, requests } = await startHttpServer(respondJson(200, '[]'));
    const client = createPetstoreClient({ baseUrl: url, apiKey, retries: 0 });
    onTestFinished(client.close);
    const next = new URL(`${url}/pets?cursor=a`);
    move(next);
    await expect(client.listNextPage(next)).rejects.toThrow('next: must be below');
    expect(requests).toEqual([]);
  });
});
