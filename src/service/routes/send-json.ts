import type { FastifyReply } from 'fastify';

/** Sends what is JSON already. */
export function sendJson(response: FastifyReply, text: string): FastifyReply {
  return response.header('Content-Type', 'application/json').send(text);
}
