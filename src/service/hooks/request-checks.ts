import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headerNames } from '../../contract/headers.ts';
import { ServiceError } from '../service-error.ts';

const refuseRequest = (message: string) =>
  new ServiceError('invalid_request', message, { Connection: 'close' });
const wrongHost = refuseRequest('Host: must be given once, as a host name');
const wrongVersion = refuseRequest('this service speaks HTTP/1.1');
const tooLarge = new ServiceError('headers_too_large', 'the header fields are too large', {
  Connection: 'close',
});
const wrongCoding = refuseRequest('Transfer-Encoding: must be chunked');

/** A host name or address, and a port (RFC 9110, section 7.2). Empty is allowed. */
const host = /^[\w.~!$&'()*+;=%-]*$|^[\w.-]*:\d*$|^\[[\da-f:.]+\](:\d*)?$/i;

/** What holds for every request: it says which host it means, its response has its id, and ends the connection of a stop. */
export function addRequestChecks(
  app: FastifyInstance,
  { stopping, headerBytes }: { readonly stopping: AbortSignal; readonly headerBytes: number },
): void {
  app.addHook('onRequest', (request, response, done) => {
    response.header(headerNames.requestId, request.id);
    done(countBytes(request) > headerBytes ? tooLarge : findProblem(request));
  });
  // Also of a request that came before the stop.
  app.addHook('onSend', (_request, response, payload, done) => {
    if (stopping.aborted) response.header('Connection', 'close');
    done(null, payload);
  });
}

/** Of a request line and its fields as they are sent: Node counts neither `: ` nor the ends of lines. */
function countBytes({ raw: { url = '', rawHeaders } }: FastifyRequest): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length + 2, url.length);
}

/** What makes a request none of HTTP/1.1 (RFC 9112, sections 2.3, 3.2 and 6.1); a proxy may have read it otherwise. */
function findProblem({ raw, headers: given }: FastifyRequest): ServiceError | undefined {
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') return wrongVersion;
  const isHostMissing = given.host === undefined;
  if (isHostMissing ? raw.httpVersion === '1.1' : !host.test(given.host ?? '')) return wrongHost;
  const coding = given['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? undefined : wrongCoding;
}

/**
 * The URL without a scheme and host, which mean nothing here (RFC 9112, section 3.2.2). A path that cannot be decoded is
 * taken as it is written: it names nothing, and is then a 404 like any other.
 */
export function rewriteUrl({ url: given = '/' }: IncomingMessage): string {
  const url = given.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}
