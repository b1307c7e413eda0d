import type { Socket } from 'node:net';
import type { RawBehavior, RawRequest } from './raw-server.ts';

/** How a command ends: exit code, and for writes the outcome. */
interface Ending {
  list: number;
  get: number;
  add: [number, string];
  import: [number, string];
}

export interface Misbehavior {
  name: string;
  respond: RawBehavior;
  ending: Ending;
  /** Instead of the usual one, where much is sent. */
  timeout?: string;
}

const succeeds: Ending = { list: 0, get: 0, add: [0, 'applied'], import: [0, 'applied'] };
/** What arrived cannot be understood: a write may have been applied. */
const unreadable: Ending = { list: 7, get: 7, add: [9, 'unknown'], import: [9, 'unknown'] };
/** Nothing arrived. */
const lost: Ending = { ...unreadable, list: 8, get: 8 };
/** Only a list is concerned. */
const pagesOnly: Ending = { ...succeeds, list: 7 };

const refused = (exitCode: number): Ending => ({
  list: exitCode,
  get: exitCode,
  add: [exitCode, 'not_applied'],
  import: [exitCode, 'not_applied'],
});
/** A row that is refused is a row that can be corrected. */
const rejected: Ending = refused(6);
const failed: Ending = unreadable;

const rex = '{"id":1,"name":"Rex","categoryId":7}';

function isList({ method, path }: RawRequest): boolean {
  return method === 'GET' && path.includes('?');
}

/** What a good service would send, made from one pet. */
function bodyFor(request: RawRequest, pet = rex): string {
  return isList(request) ? `[${pet}]` : pet;
}

/** A complete response, which also sends back what the client must never show. */
function format(
  request: RawRequest,
  status: string,
  body: string | Buffer,
  headers: readonly string[] = ['Content-Type: application/json'],
): Buffer {
  const echo =
    /^authorization: .*$/im.exec(request.head)?.[0].replace(/^\w+/, 'X-Echo') ?? 'X-Echo: 0';
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [`HTTP/1.1 ${status}`, ...headers, length, echo, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

const statusOf = (request: RawRequest) => (request.method === 'POST' ? '201 Created' : '200 OK');

function sends(
  name: string,
  ending: Ending,
  body: (request: RawRequest) => string | Buffer,
  headers?: (request: RawRequest) => string[],
): Misbehavior {
  return {
    name,
    ending,
    respond: (socket, request) =>
      void socket.write(format(request, statusOf(request), body(request), headers?.(request))),
  };
}

function sendsPet(name: string, pet: string, ending = unreadable): Misbehavior {
  return sends(name, ending, (request) => bodyFor(request, pet));
}

function fails(status: number, code: string, ending: Ending, ...headers: string[]): Misbehavior {
  return {
    name: `${status} ${code}${headers.length > 0 ? ` with ${headers.join(', ')}` : ''}`,
    ending,
    respond(socket, request) {
      const key = /^authorization: (.*)$/im.exec(request.head)?.[1];
      const body = JSON.stringify({ code, message: `you sent ${key}`, status });
      const lines = ['Content-Type: application/json', ...headers];
      socket.write(format(request, `${status} X`, body, lines));
    },
  };
}

function sendsPage(status: number, ending: Ending, body = '<h1>No</h1>'): Misbehavior {
  return {
    name: `a page with ${status}${body === '' ? ', empty' : ''}`,
    ending,
    respond: (socket, request) =>
      void socket.write(format(request, `${status} X`, body, ['Content-Type: text/html'])),
  };
}

function acts(name: string, ending: Ending, respond: RawBehavior): Misbehavior {
  return { name, ending, respond };
}

function sendsRaw(name: string, ending: Ending, text: string): Misbehavior {
  return acts(name, ending, (socket) => void socket.end(text, 'latin1'));
}

function links(name: string, ending: Ending, link: (request: RawRequest) => string, pet = rex) {
  return sends(
    name,
    ending,
    (request) => (isList(request) && pet === '' ? '[]' : bodyFor(request, pet || rex)),
    (request) => ['Content-Type: application/json', `Link: ${link(request)}`],
  );
}

/** Writes again and again, as long as somebody reads. */
function repeat(socket: Socket, text: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', write);
  write();
}

const OK_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const odd: Misbehavior[] = [
  sends('a byte order mark', succeeds, (request) => `\ufeff${bodyFor(request)}`),
  sendsPet(
    'members beyond the contract',
    `${rex.slice(0, -1)},"tags":["a"],"owner":null}`,
    succeeds,
  ),
  sends(
    'a content type in capitals',
    succeeds,
    (request) => bodyFor(request),
    () => ['CONTENT-TYPE: Application/JSON;Charset="UTF-8"'],
  ),
  acts('100 Continue before the response', succeeds, (socket, request) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(format(request, statusOf(request), bodyFor(request)));
  }),
  acts('100 Continue twice, in pieces', succeeds, (socket, request) => {
    const both = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nX: y\r\n\r\n';
    const bytes = Buffer.concat([
      Buffer.from(both),
      format(request, statusOf(request), bodyFor(request)),
    ]);
    writeInPieces(socket, bytes);
  }),
  acts('103 Early Hints', succeeds, (socket, request) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=next\r\n\r\n');
    socket.write(format(request, statusOf(request), bodyFor(request)));
  }),
  acts('a response of chunks of one byte', succeeds, (socket, request) => {
    socket.write(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write([...bodyFor(request)].map(chunk).join(''));
    socket.write('0\r\n\r\n');
  }),
  acts('a response that ends with the connection', succeeds, (socket, request) => {
    socket.end(`${OK_HEAD}Connection: close\r\n\r\n${bodyFor(request)}`);
  }),
  acts('HTTP/1.0', succeeds, (socket, request) => {
    socket.end(`${OK_HEAD.replace('1.1', '1.0')}\r\n${bodyFor(request)}`);
  }),
];

/** So that each piece arrives by itself. */
function writeInPieces(socket: Socket, bytes: Buffer): void {
  socket.setNoDelay(true);
  socket.write(bytes.subarray(0, 9));
  if (bytes.length > 9) setImmediate(writeInPieces, socket, bytes.subarray(9));
}

const html = () => ['Content-Type: text/html'];

const bodies: Misbehavior[] = [
  sends('a page instead of JSON', unreadable, () => '<h1>Login</h1>', html),
  sends('an empty body', unreadable, () => ''),
  sends(
    'no content type',
    unreadable,
    (request) => bodyFor(request),
    () => [],
  ),
  sends(
    'JSON as text/plain',
    unreadable,
    (request) => bodyFor(request),
    () => ['Content-Type: text/plain'],
  ),
  sends('truncated JSON', unreadable, (request) => bodyFor(request).slice(0, -4)),
  sends('text after the JSON', unreadable, (request) => `${bodyFor(request)}x`),
  sends('other JSON', unreadable, () => '{"pets":[]}'),
  sends('null', unreadable, () => 'null'),
  sends('arrays in arrays, a hundred thousand deep', unreadable, () => '['.repeat(100_000)),
  sends('a name that is not UTF-8', unreadable, (request) =>
    Buffer.from(bodyFor(request).replace('Rex', 'R\xe9x'), 'latin1'),
  ),
  sends('UTF-16', unreadable, (request) => Buffer.from(`\ufeff${bodyFor(request)}`, 'utf16le')),
  sends(
    'a compressed body',
    unreadable,
    () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]),
    () => ['Content-Type: application/json', 'Content-Encoding: gzip'],
  ),
  sendsPet('a status of its own', '{"id":1,"name":"Rex","categoryId":7,"status":"reserved"}'),
  sendsPet('no name', '{"id":1,"categoryId":7}'),
  sendsPet('a name that is null', '{"id":1,"name":null,"categoryId":7}'),
  sendsPet('an id as a string', '{"id":"1","name":"Rex","categoryId":7}'),
  sendsPet('an id beyond int64', '{"id":9223372036854775808,"name":"Rex","categoryId":7}'),
  sendsPet('an id with a fraction', '{"id":1.5,"name":"Rex","categoryId":7}'),
  sendsPet(
    'an id that is an object',
    '{"id":{"toString":1,"valueOf":1},"name":"Rex","categoryId":7}',
  ),
  sendsPet('an id of millions of digits', `{"id":${'1'.repeat(1_000_000)},"name":"Rex"}`),
  sendsPet('an exponent beyond every number', '{"id":1,"name":"Rex","categoryId":1e999999}'),
  sendsPet('a number with leading zeros', '{"id":007,"name":"Rex","categoryId":7}'),
  sendsPet('another pet than was sent', '{"id":1,"name":"Max","categoryId":7}', {
    ...succeeds,
    add: [1, 'applied'],
    import: [1, 'applied'],
  }),
];

const statuses: Misbehavior[] = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `a redirect with ${status}`,
    ending: refused(7),
    respond: ((socket, request) =>
      void socket.write(
        format(request, `${status} X`, '', ['Location: http://127.0.0.1:9/v1/pets']),
      )) satisfies RawBehavior,
  })),
  sendsPage(304, refused(7), ''),
  sendsPage(400, refused(7)),
  sendsPage(401, refused(4)),
  sendsPage(401, refused(4), ''),
  sendsPage(403, refused(7)),
  sendsPage(404, refused(7)),
  sendsPage(407, refused(7)),
  sendsPage(429, refused(7)),
  sendsPage(500, failed),
  sendsPage(502, failed),
  sendsPage(503, failed, ''),
  fails(400, 'invalid_request', rejected),
  fails(401, 'unauthorized', refused(4)),
  fails(403, 'forbidden', refused(6)),
  fails(404, 'not_found', refused(5)),
  fails(405, 'method_not_allowed', refused(6)),
  fails(408, 'request_timeout', refused(7)),
  fails(409, 'idempotency_conflict', {
    ...refused(6),
    add: [9, 'unknown'],
    import: [9, 'unknown'],
  }),
  fails(410, 'operation_removed', refused(6)),
  fails(413, 'payload_too_large', rejected),
  fails(415, 'unsupported_media_type', refused(6)),
  fails(418, 'teapot', refused(6)),
  fails(422, 'idempotency_mismatch', rejected),
  fails(429, 'too_many_requests', refused(7)),
  fails(431, 'headers_too_large', refused(6)),
  fails(500, 'internal_error', failed),
  fails(501, 'not_implemented', failed),
  fails(502, 'bad_gateway', failed),
  fails(503, 'unavailable', failed, 'Retry-After: 1'),
  fails(503, 'unavailable', failed, 'Retry-After: 99999999999999999999'),
  fails(503, 'unavailable', failed, 'Retry-After: Fri, 31 Dec 9999 23:59:59 GMT'),
  fails(503, 'unavailable', failed, 'Retry-After: soon'),
  fails(504, 'timeout', failed),
  fails(599, 'x'.repeat(5000), failed),
  fails(500, '\u001b[2J\r\n\u202e', failed),
];

const connections: Misbehavior[] = [
  acts('a reset before a response', lost, (socket) => socket.resetAndDestroy()),
  acts('an end before a response', lost, (socket) => void socket.end()),
  acts('never a response', lost, () => {}),
  acts('100 Continue, and then nothing', lost, (socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  }),
  acts('100 Continue without end', lost, (socket) => {
    repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n');
  }),
  sendsRaw('half a head', lost, 'HTTP/1.1 200 OK\r\nContent-Ty'),
  sendsRaw(
    'less than its Content-Length',
    unreadable,
    `${OK_HEAD}Content-Length: 99\r\n\r\n[{"id"`,
  ),
  sendsRaw(
    'chunks without the last one',
    unreadable,
    `${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk('[{')}`,
  ),
  sendsRaw('a head alone', unreadable, `${OK_HEAD}Content-Length: 99\r\n\r\n`),
  acts('a reset in the middle of the body', unreadable, (socket) => {
    socket.write(`${OK_HEAD}Content-Length: 99\r\n\r\n[{"id"`, () =>
      setImmediate(() => setImmediate(() => socket.resetAndDestroy())),
    );
  }),
  acts('a body that never ends', lost, (socket) => {
    socket.write(`${OK_HEAD}Content-Length: 99\r\n\r\n[`);
  }),
  {
    ...acts('a body without bounds', unreadable, (socket) => {
      socket.write(`${OK_HEAD}\r\n`);
      repeat(socket, ' '.repeat(1_000_000));
    }),
    timeout: '4s',
  },
  acts('a head without bounds', unreadable, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    repeat(socket, `X-Y: ${'y'.repeat(1000)}\r\n`);
  }),
];

const protocols: Misbehavior[] = [
  sendsRaw('the greeting of SSH', unreadable, 'SSH-2.0-OpenSSH_9.2\r\n'),
  sendsRaw('a TLS alert', unreadable, '\x15\x03\x01\x00\x02\x02\x46'),
  sendsRaw('HTTP/2', unreadable, '\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80'),
  sendsRaw('HTTP/0.9', unreadable, '<h1>Hello</h1>'),
  sendsRaw('a status that is not a number', unreadable, 'HTTP/1.1 abc OK\r\n\r\n'),
  sendsRaw('a header without a colon', unreadable, 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n[]'),
  sendsRaw('a NUL in a header', unreadable, 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n[]'),
  sendsRaw('a negative Content-Length', unreadable, `${OK_HEAD}Content-Length: -1\r\n\r\n[]`),
  sendsRaw(
    'two lengths',
    unreadable,
    `${OK_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]x`,
  ),
  sendsRaw(
    'a chunk of no size',
    unreadable,
    `${OK_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n`,
  ),
  sendsRaw(
    '101 Switching Protocols',
    lost,
    'HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
  ),
];

const next = (target: string) => `<${target}>; rel="next"`;

const pages: Misbehavior[] = [
  links('a page that links to itself', pagesOnly, ({ path }) => next(path)),
  links('a page that links to itself with a fragment', pagesOnly, ({ path, count }) =>
    next(`${path}#${count}`),
  ),
  links('pages A, B, A', pagesOnly, ({ count }) => next(`?cursor=${count % 2}`)),
  links(
    'empty pages, each with a new link',
    pagesOnly,
    ({ count }) => next(`?cursor=${count}`),
    '',
  ),
  links('a next page at another origin', pagesOnly, () => next('http://127.0.0.1:9/v1/pets?c=1')),
  links('a next page outside the base path', pagesOnly, () => next('/v2/pets?cursor=1')),
  links('a next page by javascript:', pagesOnly, () => next('javascript:alert(1)')),
  links('a next page in a quoted title', succeeds, () => '<?c=1>; title="a; rel=next"'),
  links('a next page of another page', succeeds, () => '<?c=1>; rel="next"; anchor="/other"'),
  links('a Link header that is not one', succeeds, () => 'next, <?c=1; rel=next'),
];

/** What servers did to clients, and what else they may do. */
export const misbehaviors: readonly Misbehavior[] = [
  ...odd,
  ...bodies,
  ...statuses,
  ...connections,
  ...protocols,
  ...pages,
];
