import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { headers } from '../../contract/headers.ts';
import { ServiceError } from '../service-error.ts';

const wrongHost = new ServiceError('invalid_request', 'Host: must be given once, as a host name', {
  Connection: 'close',
});

/** A host name or address, and a port (RFC 9110, section 7.2). Empty is allowed. */
const host = /^[\w.~!$&'()*+;=%-]*$|^[\w.-]*:\d*$|^\[[\da-f:.]+\](:\d*)?$/i;

/** What holds for every request: it says which host it means, its response has its id, and ends the connection of a stop. */
export function addRequestChecks(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(headers.requestId, request.id);
    const { httpVersion } = request.raw;
    const given = request.headers.host;
    if (given === undefined ? httpVersion === '1.1' : !host.test(given)) done(wrongHost);
    else done();
  });
  // Also of a request that came before the stop.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.aborted) reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** Takes a path that cannot be decoded as it is written. It names nothing, and is then a 404 like any other. */
export function rewriteUrl({ url = '/' }: IncomingMessage): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}
