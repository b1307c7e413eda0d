import { lost, type Misbehavior, OK_HEAD, sendsRaw, unreadable } from './misbehavior.ts';

export const protocols: readonly Misbehavior[] = [
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
