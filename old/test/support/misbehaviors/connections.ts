import {
  acts,
  chunk,
  lost,
  type Misbehavior,
  OK_HEAD,
  repeat,
  sendsRaw,
  unreadable,
} from './misbehavior.ts';

export const connections: readonly Misbehavior[] = [
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
  {
    ...acts('a head without bounds', unreadable, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(socket, `X-Y: ${'y'.repeat(1000)}\r\n`);
    }),
    timeout: '4s',
  },
];
