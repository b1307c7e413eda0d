import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../http/responses.ts';

const READ = ['GET', 'HEAD'];

/** Every path of the service and what may be done there; HEAD goes wherever GET goes. */
const paths: readonly (readonly [pattern: RegExp, methods: readonly string[]])[] = [
  [/^\/v1\/pets$/, [...READ, 'POST']],
  [/^\/v1\/pets\/[^/]+$/, READ],
  [/^\/(healthz|readyz|openapi\.json|docs)$/, READ],
  [/^\/docs\/(start\.js|swagger-ui\.css|swagger-ui-bundle\.js)$/, READ],
];

/**
 * Adds the answer to what no route takes, given before a body is read: its size and type are of no interest then.
 * `isMine` leaves out what another part of the app answers.
 */
export function addNothingHere(app: FastifyInstance, isMine: (url: string) => boolean): void {
  app.setNotFoundHandler(sendNothingHere);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isMine(request.url)) sendNothingHere(request, reply);
    else done();
  });
}

/** Answers what no route took: 405 with Allow (RFC 9110, section 15.5.6) where another method would do, else 404. */
function sendNothingHere({ method, url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = url.split('?', 1)[0] ?? '';
  const methods = paths.find(([pattern]) => pattern.test(path))?.[1] ?? [];
  // A method that is in the list but met no route: the path is switched off, as by --no-docs.
  if (methods.length === 0 || methods.includes(method))
    return sendError(reply, 'not_found', 'there is nothing here');
  const allowed = methods.join(', ');
  reply.header('allow', allowed);
  return sendError(reply, 'method_not_allowed', `here you may use ${allowed}`);
}
