import type { FastifyReply } from 'fastify';
import { createServiceError, type ErrorCode, errorStatus } from '../contract/service-error.ts';

/** Answers ready-made JSON. As bytes, since Fastify adds a charset to text, which JSON does not have (RFC 8259, section 11). */
export function sendJson(reply: FastifyReply, status: number, json: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(json));
}

/** Answers the Error body of a code (contract, section 7). */
export function sendError(reply: FastifyReply, code: ErrorCode, message: string): FastifyReply {
  return sendJson(reply, errorStatus[code], JSON.stringify(createServiceError(code, message)));
}
