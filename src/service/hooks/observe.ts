import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Logs and counts each request once: when its response is sent, or when its client has gone and its outcome is known. */
export function observeRequests(app: FastifyInstance, metrics: Metrics | undefined): void {
  function observe(request: FastifyRequest, response: FastifyReply, isSent: boolean): void {
    const { method, routeOptions } = request;
    request.log.info(describeRequest(request, response, isSent), 'request');
    const labels = { method, route: routeOptions.url ?? 'none', status: response.statusCode };
    metrics?.count(labels, response.elapsedTime / 1_000);
  }

  app.addHook('onRequest', (request, response, done) => {
    const { raw } = response;
    let isSent = false;
    // Node says so of a response that was cut off, too; its own listener may end the connection.
    raw.prependOnceListener('finish', () => {
      isSent = !request.socket.destroyed && request.socket.errored === null;
    });
    raw.once('close', () => raw.writableEnded && observe(request, response, isSent));
    done();
  });
  // The client has gone while the request was handled.
  app.addHook('onSend', (request, response, payload, done) => {
    if (response.raw.destroyed) observe(request, response, false);
    done(null, payload);
  });
}

/** No key, no query, no body. */
function describeRequest(request: FastifyRequest, response: FastifyReply, isSent: boolean) {
  const { id, method, url, ip, socket } = request;
  return {
    requestId: id,
    method,
    path: formatPath(url),
    status: response.statusCode,
    milliseconds: Math.round(response.elapsedTime * 10) / 10,
    // What a proxy forwards may be any text.
    client: isIP(ip) === 0 ? socket.remoteAddress : ip,
    // Outside /v1 there is none.
    key: request.apiKey?.name,
    aborted: isSent ? undefined : true,
  };
}

/** An API key, each character of it written plainly or percent-encoded, also more than once. */
const keyInPath =
  /(?:p|%(?:25)*70)(?:s|%(?:25)*73)(?:t|%(?:25)*74)(?:_|%(?:25)*5f)(?:\w|%(?:25)*[\da-f]{2})*/gi;

/** Without the query and without what somebody took for a path: an API key, or characters that move a terminal's cursor. */
export function formatPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  if (/^[\w/.-]*$/.test(path) && !path.includes('pst_')) return path;
  return path.replaceAll(keyInPath, 'pst_…').replaceAll(/[^!-~\u2026]/g, encodeURIComponent);
}
