import { STATUS_CODES } from 'node:http';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, expectFailure, parseRaw, sendRaw } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const lines: string[] = [];
const service = await startService({
  pets: [
    { name: 'Rex', categoryId: 7n },
    { name: 'Luna', categoryId: 7n },
  ],
  overrides: { metricsPort: 0, logLevel: 'debug', writeLog: (line) => void lines.push(line) },
});
afterAll(service.close);
// A response is cached when it is asked for again.
for (let count = 0; count < 2; count += 1) await call(service, '/pets/2');

const head = `Host: a\r\nAuthorization: Bearer ${service.key}\r\nX-Request-Id: mine\r\n`;
const json = 'Content-Type: application/json\r\n';

/** Sends a request whose connection is closed afterwards and splits the response's head. */
async function readHead(bytes: string): Promise<{ statusLine: string; fields: string[] }> {
  const raw = await sendRaw(service.url, bytes);
  const [statusLine = '', ...fields] = (raw.split('\r\n\r\n', 1)[0] ?? '').split('\r\n');
  return { statusLine, fields };
}

describe('the head of every response', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;
  it.each([
    ['a pet', 200, get('/v1/pets/1')],
    ['a pet that is cached', 200, get('/v1/pets/2')],
    ['a page', 200, get('/v1/pets')],
    ['health', 200, get('/healthz')],
    ['a wrong parameter', 400, get('/v1/pets?limit=0')],
    ['a missing key', 401, 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['an unknown path', 404, get('/nothing')],
    ['a wrong method', 405, `PUT /v1/pets HTTP/1.1\r\n${head}Connection: close\r\n\r\n`],
    ['a large body', 413, `POST /v1/pets HTTP/1.1\r\n${head}${json}Content-Length: 70000\r\n\r\n`],
    [
      'a broken body',
      400,
      `POST /v1/pets HTTP/1.1\r\n${head}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['no HTTP', 400, 'hello\r\n\r\n'],
    ['a large header', 431, `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a request for a proxy', 400, `CONNECT a:443 HTTP/1.1\r\n${head}\r\n`],
  ] as const)('has the same fields, spelled the same, for %s', async (_, status, bytes) => {
    const { statusLine, fields } = await readHead(bytes);
    expect(statusLine).toBe(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`);
    for (const field of [
      /^Content-Type: application\/json$/,
      /^Content-Length: \d+$/,
      /^X-Request-Id: \S+$/,
      /^Date: \w{3}, .* GMT$/,
      /^Connection: close$/,
    ])
      expect(fields.filter((line) => field.test(line))).toHaveLength(1);
    if (bytes.includes('X-Request-Id')) expect(fields).toContain('X-Request-Id: mine');
  });
});

describe('a request that is malformed', () => {
  it('is counted and logged like any other, without a duration', async () => {
    const own = await startService({ overrides: { metricsPort: 0 } });
    onTestFinished(own.close);
    await sendRaw(own.url, 'hello\r\n\r\n');
    const metrics = await (await fetch(own.metricsUrl ?? '')).text();
    expect(metrics).toMatch(/^petstore_responses_total\{operation="none",status="400"\} 1$/m);
    // How long it took is not known.
    expect(metrics).not.toContain('petstore_response_seconds_count{operation="none"} 1');
    await sendRaw(service.url, 'hello\r\n\r\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      message: 'responded',
      status: 400,
      client: '127.0.0.1',
    });
  });

  it('gets its own response also when its body breaks off while its key is looked up', async () => {
    const own = await startService();
    onTestFinished(own.close);
    const bytes = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${own.key}\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`;
    expectFailure(parseRaw(await sendRaw(own.url, bytes)), 400, 'invalid_request');
  });

  it('is not responded to before an add that came first on its connection', async () => {
    const own = await startService();
    onTestFinished(own.close);
    const body = '{"name":"Rex","categoryId":1}';
    const add = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${own.key}\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
    const response = parseRaw(await sendRaw(own.url, `${add}hello\r\n\r\n`));
    expect(response).toMatchObject({ status: 201, body: { id: 1 } });
    expect(response.headers.get('connection')).toBe('close');
    expect((await call(own, '/pets')).body).toHaveLength(1);
  });
});

it('an encoded path is the path it encodes', async () => {
  expect((await call(service, '/%70ets/%31')).status).toBe(200);
});
