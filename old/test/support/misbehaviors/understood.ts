import type { Socket } from 'node:net';
import {
  acts,
  bodyFor,
  chunk,
  format,
  type Misbehavior,
  OK_HEAD,
  rex,
  sends,
  sendsPet,
  statusOf,
  succeeds,
} from './misbehavior.ts';

export const understood: readonly Misbehavior[] = [
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
