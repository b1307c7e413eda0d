import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../src/contract/error.ts';
import type { ServiceLimits } from '../../src/service/limits.ts';
import { openRawConnection, parseRaw, sendRaw } from '../support/raw-http.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { createTestApp, expectFailure, type TestAppOptions } from '../support/test-app.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await openTestService({ limits: { unreadBodyMs: 200, idleMs: 2_000 } });
afterAll(service.close);

/** One of its own for a limit: under load other requests would miss it, and other limits are longer than a test may take. */
async function openLimited(limits: Partial<ServiceLimits>): Promise<TestService> {
  const limited = await openTestService({ limits: { requestMs: 60_000, ...limits } });
  onTestFinished(limited.close);
  return limited;
}

async function openCounted(options: TestAppOptions) {
  const { app } = await createTestApp(options);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, countConnections: promisify(app.server.getConnections.bind(app.server)) };
}

const host = 'Host: localhost';
const key = `Authorization: Bearer ${service.key}`;
const json = 'Content-Type: application/json';
const rex = '{"name":"Rex","categoryId":7}';

function write(line: string, fields: readonly string[], body = ''): string {
  return [line, ...fields, '', body].join('\r\n');
}
const closing = 'Connection: close';

describe('what is hardly HTTP', () => {
  const chunks = (coding: string, body: string) =>
    write('POST /v1/pets HTTP/1.1', [host, key, json, `Transfer-Encoding: ${coding}`], body);

  it.each<[what: string, bytes: string, code: ErrorCode]>([
    ['no HTTP at all', 'hello\r\n\r\n', 'invalid_request'],
    ['an unknown version', write('GET /v1/pets HTTP/9.9', [host]), 'invalid_request'],
    ['another version', 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n', 'invalid_request'],
    [
      'a transfer coding other than chunked',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      'invalid_request',
    ],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'invalid_request'],
    ['a broken header', write('GET /healthz HTTP/1.1', [host, 'broken']), 'invalid_request'],
    ['a folded field', write('GET /healthz HTTP/1.1', [host, 'A: b', ' c']), 'invalid_request'],
    [
      'two ways to say how long the body is',
      write('POST /v1/pets HTTP/1.1', [
        host,
        key,
        'Content-Length: 5',
        'Transfer-Encoding: chunked',
      ]),
      'invalid_request',
    ],
    ['a broken chunk', chunks('chunked', 'zz\r\n'), 'invalid_request'],
    ['a coding that does not end in chunked', chunks('gzip', ''), 'invalid_request'],
    ['a method of proxies', write('CONNECT a.test:443 HTTP/1.1', [host]), 'invalid_request'],
    ['no Host', write('GET /healthz HTTP/1.1', []), 'invalid_request'],
    ['no Host, and no key', write('GET /v1/pets HTTP/1.1', []), 'invalid_request'],
    ['two Host fields', write('GET /v1/pets HTTP/1.1', [host, host, key]), 'invalid_request'],
    ['a path as Host', write('GET /healthz HTTP/1.1', ['Host: a/b']), 'invalid_request'],
    [
      'a header of 20 KiB',
      write('GET /healthz HTTP/1.1', [host, `A: ${'a'.repeat(20_000)}`]),
      'headers_too_large',
    ],
    ['a path of 20 KiB', write(`GET /${'a'.repeat(20_000)} HTTP/1.1`, [host]), 'headers_too_large'],
    ['two keys', write('GET /v1/pets HTTP/1.1', [host, key, key, closing]), 'unauthorized'],
    [
      'two types of a body',
      write('POST /v1/pets HTTP/1.1', [host, key, json, json, closing, 'Content-Length: 2'], '{}'),
      'unsupported_media_type',
    ],
  ])('gets the Error body, and an id, and the connection is closed: %s', async (_, bytes, code) => {
    const raw = await sendRaw(service.url, bytes);
    const response = parseRaw(raw);
    expectFailure(response, code);
    expect(response.headers['x-request-id']).toMatch(/^[\w-]+$/);
    expect(raw.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('is in the log, with the id of its response', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const { app } = await createTestApp({ log });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { headers } = parseRaw(await sendRaw(url, 'hello\r\n\r\n'));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      ...{ requestId: headers['x-request-id'], status: 400 },
      reason: 'this is not an HTTP request',
    });
  });

  it.each([
    ['HTTP/1.0 without a Host', write('GET /v1/pets HTTP/1.0', [key])],
    ['an empty Host', write('GET /v1/pets HTTP/1.1', ['Host:', key, closing])],
    ['an IPv6 Host', write('GET /v1/pets HTTP/1.1', ['Host: [::1]:8080', key, closing])],
    ['an unknown expectation', write('GET /v1/pets HTTP/1.1', [host, key, closing, 'Expect: a'])],
    [
      'an upgrade',
      write('GET /v1/pets HTTP/1.1', [host, key, 'Connection: close', 'Upgrade: h2c']),
    ],
    ['a whole URL', write('GET http://localhost/v1/pets HTTP/1.1', [host, key, closing])],
  ])('accepts %s', async (_, bytes) => {
    expect(parseRaw(await sendRaw(service.url, bytes)).statusCode).toBe(200);
  });

  it('processes nothing that follows a request it cannot understand', async () => {
    const smuggled = write(
      'POST /v1/pets HTTP/1.1',
      [host, key, json, `Content-Length: ${rex.length}`],
      rex,
    );
    const raw = await sendRaw(service.url, `GET /healthz HTTP/9.9\r\n\r\n${smuggled}`);
    expect(raw.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(await service.store.listPets({ limit: 1, order: 'asc' })).toMatchObject({ json: '[]' });
  });

  it('is never taken for the response to a request before it', async () => {
    const { send, received } = openRawConnection(service.url);
    // The key is looked up while the rest arrives, so the first response is not sent yet.
    send(`${write('GET /v1/pets HTTP/1.1', [host, key])}hello\r\n\r\n`);
    expect(await received).not.toMatch(/^HTTP\/1.1 400/);
  });
});

describe('limits', () => {
  it('gives the header fields their time, then 408, and so to a connection that sends nothing', async () => {
    const { url } = await openLimited({ headersMs: 300 });
    for (const bytes of ['', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n']) {
      expectFailure(parseRaw(await sendRaw(url, bytes)), 'request_timeout');
    }
  });

  it('gives the body its time, then 408', async () => {
    const { url, key } = await openLimited({ headersMs: 1_000, requestMs: 1_000 });
    const fields = [host, `Authorization: Bearer ${key}`, json, 'Content-Length: 100'];
    const bytes = write('POST /v1/pets HTTP/1.1', fields, '{"name":');
    expectFailure(parseRaw(await sendRaw(url, bytes)), 'request_timeout');
  });

  it('closes a connection on which nothing follows a response', async () => {
    const { url } = await openLimited({ idleMs: 500 });
    const raw = await sendRaw(url, write('GET /healthz HTTP/1.1', [host]));
    expect(parseRaw(raw).statusCode).toBe(200);
  });

  it('closes a connection on which responses are not read', async () => {
    const { url, countConnections } = await openCounted({ docs: true, limits: { idleMs: 500 } });
    const { socket, send } = openRawConnection(url);
    socket.pause();
    send(write('GET /docs/static/swagger-ui-bundle.js HTTP/1.1', [host]).repeat(16));
    await waitFor(async () => expect(await countConnections()).toBe(1));
    await waitFor(async () => expect(await countConnections()).toBe(0));
  });

  it('closes a connection that it refused, though its client leaves its own end open', async () => {
    const { url, countConnections } = await openCounted({ limits: { unreadBodyMs: 200 } });
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.resume().write('hello\r\n\r\n');
    await once(socket, 'end');
    await waitFor(async () => expect(await countConnections()).toBe(0));
  });

  it('destroys a connection with more than 32 requests without a response', async () => {
    const { socket, send, received } = openRawConnection(service.url);
    socket.pause();
    send(write('GET /openapi.json HTTP/1.1', [host]).repeat(500));
    await waitFor(() => {
      socket.read();
      if (!socket.destroyed && socket.readable) throw new Error('still open');
    });
    expect((await received).match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(500);
  });

  it('takes 32 requests at once', async () => {
    const last = write('GET /healthz HTTP/1.1', [host, closing]);
    const raw = await sendRaw(
      service.url,
      write('GET /healthz HTTP/1.1', [host]).repeat(31) + last,
    );
    expect(raw.match(/HTTP\/1\.1 200/g)).toHaveLength(32);
  });

  it('ends a body that goes on after its response, which the client sees', async () => {
    const { socket, send, received } = openRawConnection(service.url);
    send(write('POST /v1/pets HTTP/1.1', [host, json, 'Transfer-Encoding: chunked']));
    const more = setInterval(() => socket.writable && send(`400\r\n${'x'.repeat(1_024)}\r\n`), 5);
    const response = parseRaw(await received);
    clearInterval(more);
    expectFailure({ ...response, body: response.body.split('\r\n')[0] ?? '' }, 'unauthorized');
  });

  it('413 reaches a client that sends 20 MB before it reads', async () => {
    const length = 20_000_000;
    const fields = [host, key, json, `Content-Length: ${length}`];
    const { send, received } = openRawConnection(service.url);
    send(write('POST /v1/pets HTTP/1.1', fields, 'x'.repeat(length)));
    expectFailure(parseRaw(await received), 'payload_too_large');
  });

  it('closes connections beyond the limit as they come', async () => {
    const limited = await openLimited({ connections: 40 });
    const closed: string[] = [];
    for (let count = 0; count < 60; count += 1)
      void openRawConnection(limited.url).received.then((text) => closed.push(text));
    await waitFor(() => expect(closed).toEqual(Array(20).fill('')));
  });
});
