import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, expectFailure, post, sendRaw } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
afterAll(service.close);

describe('the request id', () => {
  it('is the client’s own where it can be used, else a new one each time', async () => {
    const idOf = async (id?: string) => {
      const headers = id === undefined ? {} : { 'x-request-id': id };
      return (await call(service, '/pets', { headers })).headers.get('x-request-id') ?? '';
    };
    expect(await idOf('order-7/2')).toBe('order-7/2');
    const made = [
      await idOf(),
      await idOf(),
      await idOf('with space'),
      await idOf('x'.repeat(129)),
    ];
    expect(new Set(made).size).toBe(4);
    // Somebody may take the field for the one of the key.
    made.push(await idOf(service.key));
    for (const id of made) expect(id).toMatch(/^[\w-]{10,30}$/);
  });

  it('is on failures too', async () => {
    for (const path of ['/pets?limit=0', '/nothing', '/pets/%ff'])
      expect((await call(service, path)).headers.get('x-request-id')).toBeTruthy();
  });
});

function fail(): never {
  throw new Error('the cause, with /etc/paths');
}

describe('the log', () => {
  async function startLogged(logLevel: 'debug' | 'info' | 'error') {
    const lines: string[] = [];
    const writeLog = (line: string) => void lines.push(line);
    const own = await startService({ overrides: { logLevel, writeLog } });
    onTestFinished(own.close);
    return { own, lines, entries: () => lines.map((line) => JSON.parse(line)) };
  }

  it('is one JSON object per line, with the request’s id, and at debug has every request', async () => {
    const { own, lines, entries } = await startLogged('debug');
    const start = performance.now();
    await call(own, '/pets?limit=3', { headers: { 'x-request-id': 'mine' } });
    const elapsed = performance.now() - start;
    for (const line of lines) expect(line).toMatch(/^\{.*\}\n$/);
    expect(entries().at(-1)).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'debug',
      message: 'responded',
      requestId: 'mine',
      operation: 'listPets',
      method: 'GET',
      path: '/v1/pets',
      status: 200,
      milliseconds: expect.any(Number),
      client: '127.0.0.1',
    });
    expect(entries().at(-1).milliseconds).toBeLessThan(elapsed);
  });

  it.each([
    [true, '203.0.113.7, 10.0.0.1', '203.0.113.7'],
    [true, ' , 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    [false, '203.0.113.7, 10.0.0.1', '127.0.0.1'],
  ])(
    'names the client as a proxy in front does only with --behind-proxy (%s, "%s")',
    async (behindProxy, forwarded, client) => {
      const lines: string[] = [];
      const writeLog = (line: string) => void lines.push(line);
      const own = await startService({ overrides: { logLevel: 'debug', writeLog, behindProxy } });
      onTestFinished(own.close);
      await call(own, '/pets', { headers: { 'x-forwarded-for': forwarded } });
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ client });
    },
  );

  it('has at info what was refused, not what went well', async () => {
    const { own, entries } = await startLogged('info');
    await call(own, '/pets');
    await call(own, '/pets/9');
    expect(entries().map(({ message, status }) => ({ message, status }))).toEqual([
      { message: 'listening', status: undefined },
      { message: 'responded', status: 404 },
    ]);
  });

  it('never has a key, a query or a body', async () => {
    const { own, lines } = await startLogged('debug');
    await call(own, `/pets?key=${own.key}`);
    await post(own, '{"name":"Secret Rex","categoryId":1.5}');
    await post(own, '{"name":"Secret Rex","categoryId":1}', {
      authorization: `Bearer x${own.key}`,
    });
    await post(own, '{"name":"Secret Rex","categoryId":1}', { 'idempotency-key': 'Secret-7' });
    for (const scheme of ['http', 'ftp'])
      await sendRaw(
        own.url,
        `GET ${scheme}://user:${own.key}@a/v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
    const text = lines.join('');
    expect(text).toContain('createPet');
    for (const secret of [own.key, 'Secret', '?']) expect(text).not.toContain(secret);
  });

  it.each([
    ['at once', () => fail()],
    ['later', async () => fail()],
  ])(
    'has what failed %s in the service, of which the client learns nothing',
    async (_, listPets) => {
      const { own, entries } = await startLogged('error');
      // The key is known from here on.
      await call(own, '/pets');
      own.store.listPets = listPets;
      const response = await call(own, '/pets');
      expectFailure(response, 500, 'internal_error');
      expect(response.text).not.toContain('cause');
      expect(entries()).toMatchObject([
        {
          level: 'error',
          requestId: response.headers.get('x-request-id'),
          error: expect.stringContaining('the cause'),
        },
      ]);
    },
  );

  it('has what failed also when it is not an Error', async () => {
    const { own, entries } = await startLogged('error');
    own.store.listPets = () => Promise.reject('a text');
    expectFailure(await call(own, '/pets'), 500, 'internal_error');
    expect(entries()).toMatchObject([{ level: 'error', error: 'a text' }]);
  });
});
