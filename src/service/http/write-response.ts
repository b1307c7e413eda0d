import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { headers } from '../../contract/headers.ts';
import type { ServiceResponse } from './response.ts';

/** Writes a response: the only place that makes a head. `fields` come in addition to those of the response itself. */
export function writeResponse(
  response: ServerResponse,
  { status, fields, body }: ServiceResponse,
  routeFields: readonly string[],
  requestId: string,
): void {
  response.writeHead(status, [...fields, ...routeFields, headers.requestId, requestId]);
  response.end(body, 'latin1');
}

/** The same for a connection on which Node found no request to respond to. It ends the service's side of it. */
export function writeRawResponse(
  socket: Duplex,
  { status, fields, body }: ServiceResponse,
  requestId: string,
): void {
  const date = new Date().toUTCString();
  const all = [...fields, headers.requestId, requestId, 'Date', date, 'Connection', 'close'];
  const lines = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`);
  socket.end(body, 'latin1');
}
