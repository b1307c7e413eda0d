import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../src/contract/service-error.ts';
import { call, expectFailure, parseRaw, sendRaw } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const limits = { headersTimeout: 300, requestTimeout: 600 };
const service = await startService({
  pets: [{ name: 'Rex', categoryId: 7n }],
  overrides: { limits },
});
afterAll(service.close);

const host = 'Host: localhost';
const key = `Authorization: Bearer ${service.key}`;
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const rex = '{"name":"Rex","categoryId":7}';

/** A request as it is on the wire. The service is asked to close, so that everything it sends can be waited for. */
function write(line: string, fields: readonly string[], body = ''): string {
  return [line, ...fields, 'Connection: close', '', body].join('\r\n');
}

function get(target: string, ...fields: string[]): string {
  return write(`GET ${target} HTTP/1.1`, [host, key, ...fields]);
}

function add(body: string, { target = '/v1/pets', fields = [json] } = {}): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return write(`POST ${target} HTTP/1.1`, [host, key, ...fields, length], body);
}

function addInChunks(version: string, coding: string): string {
  const body = `${rex.length.toString(16)}\r\n${rex}\r\n0\r\n\r\n`;
  return write(`POST /v1/pets HTTP/${version}`, [host, key, json, coding], body);
}

const wrongHost = /^Host: must be given once/;
const wrongVersion = /^the version in the request line must be HTTP\/1\.1 or HTTP\/1\.0$/;
const wrongCoding = /^Transfer-Encoding: must be chunked/;
/** Versions of Node's parser differ in which of these they refuse themselves. */
const wrongCodingOrHttp = /^(Transfer-Encoding: must be chunked|this is not an HTTP request)/;
const notHttp = /^this is not an HTTP request$/;
const notJson = /^the body must be application\/json, in UTF-8$/;
const noBody = /^the body is missing: send a NewPet as JSON$/;
const encoded = /^the body must not be in a coding/;
const notObject = /^the body must be a JSON object$/;
const notParameter = /^x: is not a parameter of this operation$/;
const noKey = /^an API key is needed/;

type Refused = readonly [what: string, bytes: string, code: ErrorCode, message: RegExp];

const wrongTypes = [
  ...['utf-8x', 'xutf-8', '', 'latin1; a=utf-8', '"latin1 charset=utf-8"'].map(
    (name) => `${json}; charset=${name}`,
  ),
  ...['application/jsonx', 'x/json', 'text/plain; charset=utf-8', ';', ''].map(
    (type) => `Content-Type: ${type}`,
  ),
];

function refuseType(field: string): Refused {
  return [field, add(rex, { fields: [field] }), 'unsupported_media_type', notJson];
}

const refused: readonly Refused[] = [
  // What comes before any key: the head of the request (RFC 9112).
  ['no Host', write('GET /healthz HTTP/1.1', []), 'invalid_request', wrongHost],
  ['no Host, no key', write('GET /v1/pets HTTP/1.1', []), 'invalid_request', wrongHost],
  ['two Host fields', get('/v1/pets', host), 'invalid_request', wrongHost],
  ['two hosts', get('/healthz', 'Host: other'), 'invalid_request', wrongHost],
  ['an empty second Host', get('/healthz', 'Host:'), 'invalid_request', wrongHost],
  ['two in HTTP/1.0', write('GET / HTTP/1.0', [host, host]), 'invalid_request', wrongHost],
  ['a path as Host', write('GET / HTTP/1.1', ['Host: a/b']), 'invalid_request', wrongHost],
  ['a user in Host', write('GET / HTTP/1.1', ['Host: me@a']), 'invalid_request', wrongHost],
  ['HTTP/2.0', write('GET /v1/pets HTTP/2.0', [host, key]), 'invalid_request', wrongVersion],
  ['HTTP/0.9', write('GET /healthz HTTP/0.9', [host]), 'invalid_request', wrongVersion],
  ['HTTP/1.2', write('GET /healthz HTTP/1.2', [host]), 'invalid_request', notHttp],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'invalid_request', notHttp],
  ['no HTTP at all', 'hello\r\n\r\n', 'invalid_request', notHttp],
  ['a folded field', get('/healthz', 'A: b', ' c'), 'invalid_request', notHttp],
  [
    'gzip, chunked',
    addInChunks('1.1', 'Transfer-Encoding: gzip, chunked'),
    'invalid_request',
    wrongCoding,
  ],
  [
    'gzip alone',
    addInChunks('1.1', 'Transfer-Encoding: gzip'),
    'invalid_request',
    wrongCodingOrHttp,
  ],
  [
    'chunked twice',
    addInChunks('1.1', `${chunked}\r\n${chunked}`),
    'invalid_request',
    wrongCodingOrHttp,
  ],
  ['chunked in HTTP/1.0', addInChunks('1.0', chunked), 'invalid_request', wrongCoding],
  [
    'a field of 20 KiB',
    get('/healthz', `A: ${'a'.repeat(20_000)}`),
    'headers_too_large',
    /too large$/,
  ],
  [
    'a head that does not end',
    'GET /v1/pets HTTP/1.1\r\nHost: a\r\n',
    'request_timeout',
    /in time$/,
  ],
  // Then the key.
  ['two keys', get('/v1/pets', 'Authorization: Bearer x'), 'unauthorized', noKey],
  ['no key', write('POST /v1/pets?x=1 HTTP/1.1', [host, 'Content-Type: a']), 'unauthorized', noKey],
  // Then how the body is sent.
  ['no type', add(rex, { fields: [] }), 'unsupported_media_type', notJson],
  ['two types', add(rex, { fields: [json, json] }), 'unsupported_media_type', notJson],
  ['UTF-16', add(rex, { fields: [`${json}; charset=utf-16`] }), 'unsupported_media_type', notJson],
  [
    'UTF-16, quoted',
    add(rex, { fields: [`${json};a=b;CharSet = "utf-16"`] }),
    'unsupported_media_type',
    notJson,
  ],
  ...wrongTypes.map(refuseType),
  ['no body, of no type', add('', { fields: [] }), 'invalid_request', noBody],
  [
    'neither body nor length',
    write('POST /v1/pets HTTP/1.1', [host, key]),
    'invalid_request',
    noBody,
  ],
  [
    'gzip',
    add(rex, { fields: [json, 'Content-Encoding: gzip'] }),
    'unsupported_media_type',
    encoded,
  ],
  // Then the query and the body itself.
  ['a query on get', get('/v1/pets/1?x=1'), 'invalid_request', notParameter],
  ['a query on no pet', get('/v1/pets/9?x=1'), 'invalid_request', notParameter],
  ['a query on add', add(rex, { target: '/v1/pets?x=1' }), 'invalid_request', notParameter],
  ['a parameter without a name', get('/v1/pets?=1'), 'invalid_request', /^"": is not a parameter/],
  ['01 as an id', get('/v1/pets/01'), 'not_found', /^there is no pet with this id$/],
  ['an array', add('[]'), 'invalid_request', notObject],
  ['an array of a pet', add(`[${rex}]`), 'invalid_request', notObject],
  ['a number no double can hold', add('1e400'), 'invalid_request', notObject],
  ['null', add('null'), 'invalid_request', notObject],
  [
    'a member without a name',
    add('{"name":"Rex","categoryId":7,"":1}'),
    'invalid_request',
    /^"": is not a field of a new pet$/,
  ],
  [
    'a member whose name moves a cursor',
    add('{"name":"Rex","categoryId":7,"\\u001b[2J":1}'),
    'invalid_request',
    /^"\\u001b\[2J": is not a field of a new pet$/,
  ],
  [
    'a member with a very long name',
    add(`{"name":"Rex","categoryId":7,"${'x'.repeat(10_000)}":1}`),
    'invalid_request',
    /^x{100}…: is not a field of a new pet$/,
  ],
];

const accepted: readonly [what: string, bytes: string, status: number][] = [
  ['an empty Host', write('GET /v1/pets HTTP/1.1', ['Host:', key]), 200],
  ['an IPv6 Host', write('GET /v1/pets HTTP/1.1', ['Host: [::1]:8080', key]), 200],
  ['HTTP/1.0 without a Host', write('GET /v1/pets HTTP/1.0', [key]), 200],
  ['an empty query', get('/v1/pets/1?'), 200],
  ['an encoded id', get('/v1/pets/%31'), 200],
  ['chunked', addInChunks('1.1', 'Transfer-Encoding: Chunked'), 201],
  ['Identity', add(rex, { fields: [json, 'Content-Encoding: Identity'] }), 201],
  ['UTF-8', add(rex, { fields: ['Content-Type: Application/JSON ; charset="UTF-8"'] }), 201],
  ['utf8', add(rex, { fields: [`${json};charset=utf8`] }), 201],
  ['utf-8', add(rex, { fields: [`${json};charset=utf-8`] }), 201],
  ['x-charset', add(rex, { fields: [`${json}; charset=utf-8; x-charset=latin1`] }), 201],
  [
    'an expectation of HTTP/1.0',
    write('POST /v1/pets HTTP/1.0', [key, json, 'Expect: 100-continue', 'Content-Length: 29'], rex),
    201,
  ],
  ['a parameter of another kind', add(rex, { fields: [`${json}; profile="a;b"`] }), 201],
];

const reasons: Partial<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
  431: 'Request Header Fields Too Large',
};

describe('the protocol, on a socket', () => {
  it.each(refused)('refuses %s', async (_, bytes, code, message) => {
    const raw = await sendRaw(service.url, bytes);
    const response = parseRaw(Buffer.from(raw, 'latin1').toString('utf8'));
    expectFailure(response, response.status, code);
    expect(response.body).toMatchObject({ message: expect.stringMatching(message) });
    expect(raw.split('\r\n')[0]).toBe(`HTTP/1.1 ${response.status} ${reasons[response.status]}`);
    expect(raw.match(/^HTTP\//gm)).toHaveLength(1);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    expect(Date.parse(response.headers.get('date') ?? '')).not.toBeNaN();
    expect(response.headers.get('connection')).toBe('close');
    const body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
    expect(response.headers.get('content-length')).toBe(String(body.length));
  });

  it.each(accepted)('accepts %s', async (_, bytes, status) => {
    expect(parseRaw(await sendRaw(service.url, bytes)).status).toBe(status);
  });

  it.each([
    ['two Host fields', `GET /healthz HTTP/1.1\r\n${host}\r\n${host}\r\n\r\n`],
    ['another transfer coding', addInChunks('1.1', 'Transfer-Encoding: gzip, chunked')],
  ])('processes nothing after %s', async (_, bytes) => {
    const own = await startService();
    onTestFinished(own.close);
    const authorized = bytes.replaceAll(service.key, own.key).replace('Connection: close\r\n', '');
    const smuggled = add(rex).replaceAll(service.key, own.key);
    const raw = await sendRaw(own.url, authorized + smuggled).catch(() => '');
    expect(raw.match(/^HTTP\//gm) ?? []).toHaveLength(raw === '' ? 0 : 1);
    expect((await call(own, '/pets')).text).toBe('[]');
  });

  it('has no icon, which is not a failure', async () => {
    const root = { url: new URL(service.url).origin, key: '' };
    const response = await call(root, '/favicon.ico', { headers: { authorization: '' } });
    expect(response).toMatchObject({ status: 204, text: '' });
    expect(response.headers.has('content-length')).toBe(false);
  });
});
