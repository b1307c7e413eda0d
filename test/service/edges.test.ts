import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../src/service/hooks/metrics.ts';
import { serviceLimits } from '../../src/service/limits.ts';
import { openRawConnection, parseRaw, sendRaw } from '../support/raw-http.ts';
import { isLinux } from '../support/system.ts';
import { createTestApp, expectFailure, type TestAppOptions } from '../support/test-app.ts';
import { waitFor } from '../support/wait-for.ts';

const rex = '{"name":"Rex","categoryId":7}';

/** A service that listens, its log, and its metrics. */
async function listen(options: Pick<TestAppOptions, 'wrapStore'> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info', messageKey: 'message' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const metrics = createMetrics();
  const service = await createTestApp({ docs: true, log, metrics, ...options });
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const requests = () => lines.filter(({ message }) => message === 'request');
  return { ...service, url, lines, requests, metrics };
}

const write = (line: string, fields: readonly string[], body = '') =>
  [line, 'Host: localhost', ...fields, '', body].join('\r\n');

it('gives up every response of a connection that is gone, each with one line', async () => {
  const { url, requests } = await listen();
  const countOpen = () => (isLinux ? readdirSync('/proc/self/fd').length : 0);
  const before = countOpen();
  const { socket, send } = openRawConnection(url);
  socket.pause();
  send(write('GET /docs/static/swagger-ui-bundle.js HTTP/1.1', []).repeat(32));
  await waitFor(() => expect(socket.bytesRead).toBeGreaterThan(0));
  socket.destroy();
  await waitFor(() => expect(requests()).toHaveLength(32));
  expect(requests().filter(({ aborted }) => aborted === true).length).toBeGreaterThan(16);
  expect(countOpen()).toBeLessThanOrEqual(before);
});

it('begins no request before the response to the one before it was sent', async () => {
  const answer = new AbortController();
  let pages = 0;
  const listPets = async () => {
    pages += 1;
    await once(answer.signal, 'abort');
    return { json: '[]', next: undefined };
  };
  const { url, key, requests } = await listen({ wrapStore: (store) => ({ ...store, listPets }) });
  const { socket, send } = openRawConnection(url);
  send(write('GET /v1/pets HTTP/1.1', [`Authorization: Bearer ${key}`]).repeat(32));
  await waitFor(() => expect(pages).toBe(1));
  socket.destroy();
  await waitFor(() => expect(requests().filter(({ aborted }) => aborted)).toHaveLength(31));
  answer.abort();
  await waitFor(() => expect(requests()).toHaveLength(32));
  for (const line of requests()) expect(line).toMatchObject({ client: '127.0.0.1' });
  expect(pages).toBe(1);
});

it('stores no add behind a response that ends the connection', async () => {
  const { url, key, store } = await listen();
  const fields = [
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${rex.length}`,
  ];
  const refused = 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n';
  const raw = await sendRaw(url, refused + write('POST /v1/pets HTTP/1.1', fields, rex));
  expectFailure(parseRaw(raw), 'invalid_request');
  expect(await store.readAudit({ limit: 1 })).toEqual([]);
});

it('logs and counts an add whose client has gone once, with its outcome and key', async () => {
  const { url, key, store, requests, metrics } = await listen();
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(
      write('POST /v1/pets HTTP/1.1', [...fields, `Content-Length: ${rex.length}`], rex),
    );
    socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
  }
  await waitFor(async () =>
    expect((await store.readAudit({ limit: 50 })).length).toBe(
      requests().filter(({ status }) => status === 201).length,
    ),
  );
  for (const line of requests()) expect(line).toMatchObject({ key: 'test', client: '127.0.0.1' });
  await waitFor(async () => {
    const sent = requests().filter(({ status }) => status === 201).length;
    const text = await readMetrics(metrics);
    expect(text).toContain(`{method="POST",route="/v1/pets",status="201"} ${sent}\n`);
  });
});

// Where the service reads no further, it learns of the end by what it writes.
it.each([
  ['for nothing more', []],
  ['for more, which is not read', ['GET /healthz HTTP/1.1']],
])('logs as aborted a response whose client has gone, which asked %s', async (_, more) => {
  const { app, url, requests } = await listen();
  const { socket, send } = openRawConnection(url);
  const [accepted] = await once(app.server, 'connection');
  socket.pause();
  send(write('GET /docs/static/swagger-ui-bundle.js HTTP/1.1', []).repeat(32));
  await waitFor(() => expect(accepted.writableLength).toBeGreaterThan(0));
  for (const line of more) send(write(line, []));
  await waitFor(() => expect(accepted.isPaused()).toBe(more.length > 0));
  socket.destroy();
  const line = { status: 200, aborted: true, client: '127.0.0.1' };
  await waitFor(() => expect(requests()).toContainEqual(expect.objectContaining(line)));
});

it('logs an add as aborted whose client sends and receives nothing more', async () => {
  const { url, key, requests } = await listen();
  const { socket } = openRawConnection(url);
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  const length = `Content-Length: ${rex.length}`;
  socket.end(write('POST /v1/pets HTTP/1.1', [...fields, length], rex));
  const line = { status: 201, aborted: true, client: '127.0.0.1' };
  await waitFor(() => expect(requests()).toMatchObject([line]));
});

it('takes a connection that broke off for no mistake of HTTP', async () => {
  const { app, url, lines } = await listen();
  const { received } = openRawConnection(url);
  const [accepted] = await once(app.server, 'connection');
  accepted.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(await received).toBe('');
  expect(lines.filter(({ message }) => message === 'no request')).toEqual([]);
});

it('logs and counts what never was a request, with its client', async () => {
  const { url, lines, metrics } = await listen();
  await sendRaw(url, 'hello\r\n\r\n');
  expect(lines).toContainEqual(
    expect.objectContaining({ message: 'no request', status: 400, client: '127.0.0.1' }),
  );
  expect(await readMetrics(metrics)).toContain('{method="none",route="none",status="400"} 1\n');
});

it.each([
  ['without a Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['with two', write('GET /healthz HTTP/1.1', ['Host: other', 'Connection: close']), 400],
  ['with another coding', write('POST / HTTP/1.1', ['Transfer-Encoding: gzip, chunked']), 400],
  ['of another path', write('GET /nothing HTTP/1.1', ['Connection: close']), 404],
  ['without a key', write('DELETE /v1/pets HTTP/1.1', ['Connection: close']), 401],
])('logs and counts a request %s once, with its client', async (_which, text, status) => {
  const { url, requests, metrics } = await listen();
  await sendRaw(url, text);
  await waitFor(() => expect(requests()).toHaveLength(1));
  expect(requests()).toEqual([expect.objectContaining({ status, client: '127.0.0.1' })]);
  expect(await readMetrics(metrics)).toContain(`status="${status}"} 1\n`);
});

it('logs and counts a request once whose body is broken before it is read', async () => {
  const { url, key, lines, requests, metrics } = await listen();
  const fields = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  const chunked = [...fields, 'Transfer-Encoding: chunked', 'X-Request-Id: mine'];
  const raw = await sendRaw(url, write('POST /v1/pets HTTP/1.1', chunked, 'zz\r\n'));
  expect(parseRaw(raw)).toMatchObject({ statusCode: 400, headers: { 'x-request-id': 'mine' } });
  await waitFor(() => expect(requests()).toMatchObject([{ requestId: 'mine', status: 400 }]));
  expect(lines.filter(({ message }) => message === 'no request')).toEqual([]);
  expect(await readMetrics(metrics)).not.toContain('method="none"');
});

it('drops no header field, however many stand before it', async () => {
  const { url, key } = await listen();
  const many = Array.from({ length: 1_500 }, () => 'a: b');
  const fields = [
    ...many,
    `Authorization: Bearer ${key}`,
    'Idempotency-Key: once',
    'Content-Type: application/json',
    `Content-Length: ${rex.length}`,
    'Connection: close',
  ];
  const ask = async () =>
    parseRaw(await sendRaw(url, write('POST /v1/pets HTTP/1.1', fields, rex)));
  expect((await ask()).statusCode).toBe(201);
  expect((await ask()).headers['idempotency-replayed']).toBe('true');
});

it.each([2_700, 2_800, 5_000, 15_000])(
  'counts the whole line of a field: %i are at most 16 KiB, or 431',
  async (count) => {
    const { url, key } = await listen();
    const fields = [...Array.from({ length: count }, () => 'a: b'), 'Connection: close'];
    const request = write('GET /v1/pets HTTP/1.1', [...fields, `Authorization: Bearer ${key}`]);
    const { statusCode } = parseRaw(await sendRaw(url, request));
    expect(statusCode).toBe(request.length > serviceLimits.headerBytes ? 431 : 200);
  },
);

it('stores no add whose key was revoked while its body arrived', async () => {
  const { url, key, store } = await listen();
  const { send, received } = openRawConnection(url);
  const fields = [
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${rex.length}`,
    'Connection: close',
  ];
  send(write('POST /v1/pets HTTP/1.1', fields, rex.slice(0, 5)));
  const headers = { Authorization: `Bearer ${key}` };
  await fetch(`${url}/v1/pets`, { headers });
  await store.revokeKey(1n, new Date());
  await waitFor(async () => expect((await fetch(`${url}/v1/pets`, { headers })).status).toBe(401));
  send(rex.slice(5));
  expectFailure(parseRaw(await received), 'unauthorized');
  expect(await store.readAudit({ limit: 1 })).toEqual([]);
});

it.each(['%70st_', 'p%73t%5F', '%2570st_', 'pst%255f'])(
  'masks a key in a path written as %s…',
  async (start) => {
    const { app, requests } = await listen();
    const rest = '0'.repeat(49);
    await app.inject({ url: `/v1/pets/${start}${rest}` });
    expect(requests()).toMatchObject([{ path: '/v1/pets/pst_…' }]);
  },
);

it('405 for a method that no path has, whatever the body is', async () => {
  const { url } = await listen();
  for (const method of ['QUERY', 'PROPFIND', 'PURGE']) {
    const response = parseRaw(
      await sendRaw(url, write(`${method} /healthz HTTP/1.1`, ['Connection: close'])),
    );
    expectFailure(response, 'method_not_allowed');
    expect(response.headers.allow).toBe('GET, HEAD');
  }
});

it.each(['http://localhost/v1/pets', 'HTTP://x/v1/pets?limit=1', '/v1/pet%73', '/%76%31/pets'])(
  '405 for a wrong method where %s is the path, as a GET is 200',
  async (target) => {
    const { url, key } = await listen();
    const fields = [`Authorization: Bearer ${key}`, 'Connection: close'];
    const send = async (method: string) =>
      parseRaw(await sendRaw(url, write(`${method} ${target} HTTP/1.1`, fields)));
    expect((await send('GET')).statusCode).toBe(200);
    const response = await send('DELETE');
    expectFailure(response, 'method_not_allowed');
    expect(response.headers.allow).toBe('GET, HEAD, POST');
  },
);

async function readMetrics(metrics: ReturnType<typeof createMetrics>): Promise<string> {
  const server = metrics.createServer().listen(0, '127.0.0.1');
  try {
    await waitFor(() => expect(server.listening).toBe(true));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    return await (await fetch(`http://127.0.0.1:${port}/metrics?x=1`)).text();
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
