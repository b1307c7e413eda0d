import { bodyFor, type Misbehavior, sends, sendsPet, succeeds, unreadable } from './misbehavior.ts';

const html = () => ['Content-Type: text/html'];

export const bodies: readonly Misbehavior[] = [
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
