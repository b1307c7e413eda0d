import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One line per request: no key, no query, no body. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, response, done) => {
    request.log.info(describeRequest(request, response), 'request');
    done();
  });
}

function describeRequest({ id, method, url, ip, socket }: FastifyRequest, response: FastifyReply) {
  return {
    requestId: id,
    method,
    path: formatPath(url),
    status: response.statusCode,
    milliseconds: Math.round(response.elapsedTime * 10) / 10,
    // What a proxy forwards may be any text.
    client: isIP(ip) === 0 ? socket.remoteAddress : ip,
  };
}

/** Without the query and without what somebody took for a path: an API key, or characters that move a terminal's cursor. */
function formatPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.replaceAll(/pst_\w*/g, 'pst_…').replaceAll(/[^!-~\u2026]/g, encodeURIComponent);
}
