import type { FastifyReply } from 'fastify';

/** Sends what is JSON already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('Content-Type', 'application/json').send(text);
}
