import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient, type PetstoreClient } from '../../src/client/petstore-client.ts';
import type { ClientOptions } from '../../src/client/request.ts';
import { startRawServer } from '../support/raw-server.ts';

const pet = { name: 'Rex', categoryId: 7n };

function open(port: number, options: Partial<ClientOptions> = {}): PetstoreClient {
  const baseUrl = new URL(`http://127.0.0.1:${port}/v1`);
  const client = createPetstoreClient({
    baseUrl,
    apiKey: 'the-key-of-the-test',
    retries: 0,
    ...options,
  });
  onTestFinished(client.close);
  return client;
}

const read = (client: PetstoreClient) => client.eachPage({}).next();
const write = (client: PetstoreClient) => client.createPet(pet, 'one-key');

/** A response with its length, after which the connection stays open. */
function respond(status: number, body: string | Buffer, ...fields: readonly string[]) {
  return (socket: Socket) => {
    const head = [`HTTP/1.1 ${status} Text`, `Content-Length: ${body.length}`, ...fields];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
  };
}

const json = 'Content-Type: application/json';
const refuse = (status: number, code: string) =>
  respond(status, JSON.stringify({ code, message: 'words', status }), json);
const onePet = '{"id":1,"name":"Rex","categoryId":7}';

/** `exit outcome code` of a read and of a write. */
type Ends = readonly [read: string, write: string];
const lost: Ends = ['8 not_applied cli_connection_lost', '9 unknown cli_connection_lost'];
const unexpected: Ends = [
  '7 not_applied cli_unexpected_response',
  '9 unknown cli_unexpected_response',
];
const refused: Ends = [unexpected[0], unexpected[0]];

const servers: Record<string, [serve: (socket: Socket) => void, ...Ends]> = {
  'reads the request and closes': [(socket) => socket.end(), ...lost],
  'resets the connection': [(socket) => socket.resetAndDestroy(), ...lost],
  'never responds': [() => {}, '8 not_applied cli_timeout', '9 unknown cli_timeout'],
  'closes in the middle of the head': [(socket) => socket.end('HTTP/1.1 20'), ...lost],
  'closes in the middle of the body': [
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 99\r\n\r\n[${onePet}`),
    ...lost,
  ],
  'stalls in the middle of the body': [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 99\r\n\r\n[${onePet}`),
    '8 not_applied cli_timeout',
    '9 unknown cli_timeout',
  ],
  'does not speak HTTP': [(socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), ...unexpected],
  'sends endless headers': [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}`),
    ...unexpected,
  ],
  'sends more than 16 MiB': [
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 20000000\r\n\r\n`);
      socket.write(Buffer.alloc(17 * 1024 * 1024, ' '));
    },
    ...unexpected,
  ],
  'is a website': [respond(200, '<html>', 'Content-Type: text/html'), ...unexpected],
  'sends truncated JSON': [respond(200, `[${onePet}`, json), ...unexpected],
  'sends text that is not UTF-8': [
    respond(200, Buffer.from(`[${onePet.replace('Rex', 'J\xfcrgen')}]`, 'latin1'), json),
    ...unexpected,
  ],
  'sends a pet without a name': [respond(200, '[{"id":1,"categoryId":7}]', json), ...unexpected],
  'sends an empty body': [respond(200, '', json), ...unexpected],
  'sends 204 without a body': [
    (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
    ...unexpected,
  ],
  'sends 201 without a body': [respond(201, '', json), ...unexpected],
  'sends an id that is text': [
    respond(200, '[{"id":"1","name":"Rex","categoryId":7}]', json),
    ...unexpected,
  ],
  'sends an id that is no whole number': [
    respond(200, '[{"id":1.5,"name":"Rex","categoryId":7}]', json),
    ...unexpected,
  ],
  'announces more than it sends': [
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 99\r\n\r\n[]`),
    ...lost,
  ],
  'announces less than it sends': [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 3\r\n\r\n[${onePet}]`),
    ...unexpected,
  ],
  'announces two lengths': [
    (socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]`,
      ),
    ...lost,
  ],
  'sends thousands of headers': [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(5_000)}`),
    ...unexpected,
  ],
  'compresses unasked': [
    respond(200, gzipSync(`[${onePet}]`), json, 'Content-Encoding: gzip'),
    ...unexpected,
  ],
  'changes to another protocol': [
    (socket) => socket.write('HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ...lost,
  ],
  'sends a status that does not exist': [respond(799, ''), ...unexpected],
  'points at the result of a write': [respond(303, '', 'Location: /v1/pets/1'), ...unexpected],
  redirects: [respond(302, '', 'Location: https://elsewhere.test/'), ...refused],
  'wants a password of its own': [respond(401, '<html>', 'Content-Type: text/html'), ...refused],
  'is a proxy without a service': [
    respond(502, '<html>', 'Content-Type: text/html'),
    ...unexpected,
  ],
  'says 400': [
    refuse(400, 'invalid_request'),
    '6 not_applied invalid_request',
    '6 not_applied invalid_request',
  ],
  'says what only petstore itself says': [refuse(400, 'cli_no_key'), ...refused],
  'says 401': [
    refuse(401, 'unauthorized'),
    '4 not_applied unauthorized',
    '4 not_applied unauthorized',
  ],
  'says 403': [refuse(403, 'forbidden'), '4 not_applied forbidden', '4 not_applied forbidden'],
  'says 404': [refuse(404, 'not_found'), '5 not_applied not_found', '5 not_applied not_found'],
  'says 409': [
    refuse(409, 'idempotency_conflict'),
    '6 not_applied idempotency_conflict',
    '9 unknown idempotency_conflict',
  ],
  'says 429': [refuse(429, 'slow_down'), '7 not_applied slow_down', '7 not_applied slow_down'],
  'says 500': [
    refuse(500, 'internal_error'),
    '7 not_applied internal_error',
    '9 unknown internal_error',
  ],
  'says 503': [refuse(503, 'unavailable'), '7 not_applied unavailable', '9 unknown unavailable'],
};

describe.each(Object.entries(servers))('a server that %s', (_, [serve, forRead, forWrite]) => {
  it.each([
    ['list', read, forRead],
    ['add', write, forWrite],
  ] as const)('ends %s with its exit code, outcome and code', async (_, call, expected) => {
    const { port } = await startRawServer(serve);
    // A slow computer must not time out where something else is expected.
    const timeoutMs = expected.includes('cli_timeout') ? 1_000 : 10_000;
    const error = await call(open(port, { timeoutMs })).catch((error) => error);
    expect(`${error.exitCode} ${error.outcome} ${error.code}`).toBe(expected);
    // Words of libraries help nobody.
    expect([error.message, ...error.details].join(' ')).not.toMatch(/UND_ERR|HPE_|Invalid type/);
  });
});

it('a 401 that is not from a pet store says nothing of a key', async () => {
  const { port } = await startRawServer(respond(401, '<html>', 'Content-Type: text/html'));
  await expect(open(port).probe()).rejects.toMatchObject({ code: 'cli_unexpected_response' });
});

it('nothing that listens means that nothing was sent', async () => {
  const error = await write(open(1)).catch((error) => error);
  expect(error).toMatchObject({ exitCode: 8, outcome: 'not_sent', code: 'cli_unreachable' });
});

it('a host that does not exist is named, and not asked again', async () => {
  const client = open(1, { baseUrl: new URL('https://pets.invalid/v1'), retries: 5 });
  await expect(read(client)).rejects.toMatchObject({
    exitCode: 8,
    message: 'pets.invalid cannot be reached: there is no host of this name.',
  });
});

it('a program that is stopped ends its requests, and says what became of a write', async () => {
  const stop = new AbortController();
  const { port } = await startRawServer(() => stop.abort('SIGINT'));
  const error = await write(open(port, { signal: stop.signal })).catch((error) => error);
  expect(error).toMatchObject({ code: 'cli_interrupted', outcome: 'unknown' });
});

it('HTTP/1.0 is understood', async () => {
  const { port } = await startRawServer((socket) =>
    socket.end(`HTTP/1.0 200 OK\r\n${json}\r\n\r\n[${onePet}]`),
  );
  expect(await read(open(port))).toMatchObject({ value: { pets: [{}] } });
});

it('a compressed response is named', async () => {
  const body = gzipSync(`[${onePet}]`);
  const { port } = await startRawServer(respond(200, body, json, 'Content-Encoding: gzip'));
  await expect(read(open(port))).rejects.toMatchObject({
    details: ['it responded 200 with a compressed body (gzip), which petstore did not ask for'],
  });
});

describe('a key that the service repeats is in no error and no trace', () => {
  const key = 'the-key"of/the\\test+';
  const percent = encodeURIComponent(key);
  it.each([
    ['as it is', key],
    ['in capitals', key.toUpperCase()],
    ['percent-encoded', percent],
    ['percent-encoded in lower case', percent.replace(/%../g, (code) => code.toLowerCase())],
    ['percent-encoded throughout', key.replace(/./g, (character) => toPercent(character))],
    ['percent-encoded twice', encodeURIComponent(percent)],
    ['as JSON', JSON.stringify(key).slice(1, -1)],
    ['escaped', key.replace(/./g, (character) => `\\u00${toHex(character)}`)],
    ['as HTML', key.replace(/./g, (character) => `&#x${toHex(character)};`)],
  ])('%s', async (_, shown) => {
    const body = JSON.stringify({ code: `bad ${shown}`, message: `not ${shown}`, status: 400 });
    const { port } = await startRawServer(respond(400, body, json, `X-Echo: ${shown}`));
    const traced: string[] = [];
    const trace = (mark: string, text: string) => void traced.push(mark, text);
    const baseUrl = new URL(`http://127.0.0.1:${port}/${percent}/v1`);
    const client = open(port, { baseUrl, apiKey: key, trace, tracesBodies: true });
    const error = await read(client).catch((error) => error);
    expect(error.code).toBe('bad [redacted]');
    expect(error.message).toBe('not [redacted]');
    expect(error.request.url).toContain('/[redacted]/v1/pets');
    expect(traced.filter((line) => line.includes(shown))).toEqual([]);
    expect(traced.join(' ').match(/\[redacted\]/g)).toHaveLength(5);
  });

  it('and in none of the places of a next page', async () => {
    const link = `Link: <https://${percent}.test/${percent}>; rel=next`;
    const { port } = await startRawServer(respond(200, '[]', json, link));
    const error = await read(open(port, { apiKey: key })).catch((error) => error);
    expect(JSON.stringify(error)).not.toContain('the-key');
  });
});

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

function toPercent(character: string): string {
  return `%${toHex(character)}`;
}
