import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultLimits } from '../../../src/service/http/admission/limits.ts';
import { call, expectFailure, parseRaw, sendRaw } from '../../support/http.ts';
import { startService, type TestService } from '../../support/service.ts';
import { within } from '../../support/within.ts';

const service = await startService({ pets: [{ name: 'Rex', categoryId: 7n }] });
afterAll(service.close);

const root = { url: service.url.replace('/v1', ''), key: service.key };
const authorization = `Authorization: Bearer ${service.key}`;

describe('what is not there', () => {
  it.each(['/nothing', '/pets/1/toys', '/pets/1/', '//pets', '/Pets', '/', ''])(
    '404 for /v1%s',
    async (path) => {
      expectFailure(await call(service, path), 404, 'not_found');
    },
  );

  it.each(['/', '/v2/pets', '/pets', '/v1pets', '/metrics', '/%ff'])(
    '404 for %s, without a key',
    async (path) => {
      const response = await call(root, path, { headers: { authorization: '' } });
      expectFailure(response, 404, 'not_found');
    },
  );
});

describe('a method that is not offered', () => {
  it.each([
    ['/v1/pets', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'], 'GET, HEAD, POST'],
    ['/v1/pets?limit=1', ['PUT'], 'GET, HEAD, POST'],
    ['/v1/pets/1', ['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS'], 'GET, HEAD'],
    ['/healthz', ['POST'], 'GET, HEAD'],
    ['/readyz', ['DELETE'], 'GET, HEAD'],
    ['/openapi.json', ['PUT'], 'GET, HEAD'],
  ])('405 with Allow on %s for %j', async (path, methods, allow) => {
    for (const method of methods) {
      const response = await call(root, path, { method });
      expectFailure(response, 405, 'method_not_allowed');
      expect(response.body).toMatchObject({ message: `this path allows ${allow}` });
      expect(response.headers.get('allow')).toBe(allow);
    }
  });

  it('405 whatever the body is', async () => {
    const headers = { 'content-type': 'text/plain' };
    const body = 'x'.repeat(100_000);
    const response = await call(service, '/pets', { method: 'PUT', headers, body });
    expectFailure(response, 405, 'method_not_allowed');
  });
});

const host = 'Host: localhost';

describe('what is hardly HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid_request'],
    ['an unknown version', 'GET /v1/pets HTTP/9.9\r\n\r\n', 400, 'invalid_request'],
    [
      'a broken header',
      `GET /v1/pets HTTP/1.1\r\n${host}\r\nbroken\r\n\r\n`,
      400,
      'invalid_request',
    ],
    [
      'a space before the colon',
      `GET / HTTP/1.1\r\n${host}\r\nA : b\r\n\r\n`,
      400,
      'invalid_request',
    ],
    [
      'two ways of saying how long the body is',
      `POST /v1/pets HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    [
      'a broken chunk',
      `POST /v1/pets HTTP/1.1\r\n${host}\r\n${authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'invalid_request',
    ],
    [
      'a header of 20 KiB',
      `GET / HTTP/1.1\r\n${host}\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a path of 20 KiB',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a proxy’s method',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'HTTP/1.1 without a Host',
      'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'invalid_request',
    ],
  ] as const)('the Error body for %s', async (_, bytes, status, code) => {
    expectFailure(parseRaw(await sendRaw(service.url, bytes)), status, code);
  });

  it.each([
    ['HTTP/1.0', `GET /v1/pets HTTP/1.0\r\n${authorization}\r\n\r\n`],
    [
      'an expectation nobody knows',
      `GET /v1/pets HTTP/1.1\r\n${host}\r\n${authorization}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
    ],
    [
      'an upgrade nobody offered',
      `GET /v1/pets HTTP/1.1\r\n${host}\r\n${authorization}\r\nUpgrade: h2c\r\nConnection: close\r\n\r\n`,
    ],
    [
      'a body where none belongs',
      `GET /v1/pets HTTP/1.1\r\n${host}\r\n${authorization}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    ],
    [
      'a URL with a fragment',
      `GET /v1/pets#a HTTP/1.1\r\n${host}\r\n${authorization}\r\nConnection: close\r\n\r\n`,
    ],
    [
      'the URL in its absolute form',
      `GET ${service.url}/pets HTTP/1.1\r\n${host}\r\n${authorization}\r\nConnection: close\r\n\r\n`,
    ],
  ])('responds to %s as usual', async (_, bytes) => {
    expect(parseRaw(await sendRaw(service.url, bytes)).status).toBe(200);
  });

  it('sends 100 Continue and then the response', async () => {
    const body = '{"name":"R","categoryId":1}';
    const raw = await sendRaw(
      service.url,
      `POST /v1/pets HTTP/1.1\r\n${host}\r\n${authorization}\r\nContent-Type: application/json\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  });
});

describe('clients that take their time', () => {
  const start = async (limits: Record<string, number>) => {
    const own = await startService({ overrides: { limits } });
    onTestFinished(own.close);
    return own;
  };

  it('408 when the header does not arrive in time', async () => {
    const own = await start({ headersTimeout: 100, requestTimeout: 200 });
    const response = parseRaw(await sendRaw(own.url, 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n'));
    expectFailure(response, 408, 'request_timeout');
  });

  it('408 when the body does not arrive in time', async () => {
    const own = await start({ headersTimeout: 100, requestTimeout: 200 });
    const raw = await sendRaw(
      own.url,
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${own.key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na',
    );
    expectFailure(parseRaw(raw), 408, 'request_timeout');
  });

  it('responds with 408 before it closes a connection on which nothing moves', () => {
    expect(defaultLimits.idleTimeout).toBeGreaterThan(defaultLimits.requestTimeout + 1_000);
  });

  it.each([
    ['nothing has arrived at all', { firstByteTimeout: 100 }, ''],
    ['nothing moves', { idleTimeout: 100 }, 'GET /healthz'],
  ])('closes a connection on which %s', async (_, limits, text) => {
    const own = await start({ headersTimeout: 60_000, requestTimeout: 60_000, ...limits });
    expect(await sendRaw(own.url, text)).toBe('');
  });

  describe.each([0, 1])('after %i requests on its connection', (count) => {
    /** Opens a connection and sends so many requests on it first, whose response is read. */
    async function open(own: TestService): Promise<Socket> {
      const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      if (count === 0) return socket;
      socket.write(page(own));
      const end = once(socket, 'close').catch(() => []);
      const [data] = await Promise.race([once(socket, 'data').catch(() => []), end]);
      // On a busy machine the first response may take longer than the idle limit of the test.
      return data instanceof Buffer ? socket : await open(own);
    }
    const page = ({ key }: TestService) =>
      `GET /v1/pets?limit=100 HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;

    it('closes a connection whose responses are not read', async () => {
      const pets = Array.from({ length: 101 }, () => ({ name: 'x'.repeat(255), categoryId: 1n }));
      const own = await startService({ pets, overrides: { limits: { idleTimeout: 200 } } });
      onTestFinished(own.close);
      const socket = await open(own);
      socket.pause();
      socket.write(page(own).repeat(2_000));
      // Whoever does not read learns of the end only by writing.
      const probe = setInterval(() => socket.write(page(own)), 50);
      onTestFinished(() => clearInterval(probe));
      const failed = once(socket, 'error');
      const [error] = await within(failed, 'a connection whose responses are not read is closed');
      expect(['ECONNRESET', 'EPIPE']).toContain(error.code);
    });

    it('closes a connection whose request waits too long for the database', async () => {
      const own = await start({ idleTimeout: 300 });
      const socket = await open(own);
      own.store.listPets = () => new Promise(() => {});
      socket.write(page(own));
      const closed = once(socket.resume(), 'close');
      await within(closed, 'a connection whose request waits too long is closed');
    });

    it('closes a connection that stays open after a request for a proxy', async () => {
      const own = await start({ idleTimeout: 100 });
      const socket = await open(own);
      socket.write(`CONNECT a:443 HTTP/1.1\r\n${host}\r\n\r\n`);
      // The service ends its half at once; this client goes on sending.
      socket.allowHalfOpen = true;
      const ended = once(socket.resume(), 'end');
      await within(ended, 'the service ends its side after a request for a proxy');
      const probe = setInterval(() => socket.write('x'), 250);
      onTestFinished(() => clearInterval(probe));
      const failed = once(socket, 'error');
      const [error] = await within(failed, 'a connection that stays open is closed');
      expect(['ECONNRESET', 'EPIPE']).toContain(error.code);
    });
  });
});
