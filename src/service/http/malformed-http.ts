import type { Socket } from 'node:net';
import { createServiceError, type ErrorCode, errorStatus } from '../../contract/service-error.ts';

/** What Node's HTTP parser and timers report, as far as an answer of its own belongs to it. */
const answers: Record<string, { code: ErrorCode; message: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'the header fields are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: 'the request did not arrive in time',
  },
};

const otherwise = { code: 'invalid_request', message: 'this is not an HTTP request' } as const;

/** Answers what never became a request, with the Error body like every failure, and closes the connection. */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, message } = answers[error.code ?? ''] ?? otherwise;
  socket.end(writeRawError(code, message));
}

/** An error response as it goes over the wire, for a connection that is closed behind it. */
export function writeRawError(code: ErrorCode, message: string): string {
  const status = errorStatus[code];
  const body = JSON.stringify(createServiceError(code, message));
  return [
    `HTTP/1.1 ${status} ${code}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
