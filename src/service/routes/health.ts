import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from '../context.ts';
import { sendJson } from '../http/responses.ts';
import { createObserver } from '../monitoring/request-log.ts';

/** Adds what supervisors ask for, without a key: whether the process lives, and whether its database answers. */
export function addHealth(app: FastifyInstance, context: ServiceContext): void {
  const options = { onSend: createObserver(context, 'health') };
  app.get('/healthz', options, (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'));
  app.get('/readyz', options, async (_request, reply) => {
    await context.store.ping();
    return sendJson(reply, 200, '{"status":"ready"}');
  });
}
