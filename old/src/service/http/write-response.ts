import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { headers } from '../../contract/headers.ts';
import type { Turns } from './admission/turns.ts';
import type { ServiceResponse } from './response.ts';

const noFields: readonly string[] = [];

const PIECE_BYTES = 64 * 1024;

/** Fields beside those of the response itself, by what they belong to. */
interface FurtherFields {
  readonly route: readonly string[];
  readonly key: readonly string[] | undefined;
}

/** Writes a response: the only place that makes a head. */
export function writeResponse(
  response: ServerResponse,
  { status, fields, body }: ServiceResponse,
  further: FurtherFields,
  requestId: string,
  waitForTurn: Turns['wait'],
): void {
  const { route, key = noFields } = further;
  response.writeHead(status, [...fields, ...route, ...key, headers.requestId, requestId]);
  if (typeof body === 'string' || body.length <= PIECE_BYTES || response.req.method === 'HEAD')
    writeAtOnce(response, body);
  else writePieces(response, body, waitForTurn);
}

/**
 * Before Node 24 `end` with a body sends an empty piece behind it, and two take longer than one. With TLS, which writes
 * nothing at once, it is `end` without a body that sends one.
 */
function writeAtOnce(response: ServerResponse, body: string | Buffer): void {
  const { socket } = response;
  if (!socket?.writable || socket instanceof TLSSocket) {
    response.end(body, 'latin1');
    return;
  }
  socket.cork();
  response.write(body, 'latin1');
  socket.uncork();
  response.end();
}

/**
 * Writes a body as its client reads it, so that only one piece waits for a client that stops reading. Others get their
 * turn between two pieces: the system's buffers take many megabytes for each connection.
 */
function writePieces(response: ServerResponse, body: Buffer, waitForTurn: Turns['wait']): void {
  let sent = 0;
  function writeMore(): void {
    while (sent < body.length) {
      const piece = body.subarray(sent, sent + PIECE_BYTES);
      sent += piece.length;
      if (sent === body.length) response.end(piece);
      else if (!response.write(piece)) return;
    }
  }
  response.on('drain', () => waitForTurn(writeMore));
  writeMore();
}

/** The same for a connection on which Node found no request to respond to. */
export function writeRawResponse(
  socket: Socket,
  { status, fields, body }: ServiceResponse,
  requestId: string,
): void {
  const date = new Date().toUTCString();
  const all = [...fields, headers.requestId, requestId, 'Date', date, 'Connection', 'close'];
  const lines = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`);
  socket.write(body, 'latin1');
}
