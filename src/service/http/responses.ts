import type { FastifyReply } from 'fastify';
import { createServiceError, type ErrorCode, errorStatus } from '../../contract/service-error.ts';
import type { KeptAnswer } from './response-cache.ts';

/**
 * Answers ready-made JSON. As bytes, since Fastify adds a charset to the type of text,
 * which JSON does not have (RFC 8259, section 11).
 */
export function sendJson(reply: FastifyReply, status: number, json: string | Buffer): FastifyReply {
  const body = typeof json === 'string' ? Buffer.from(json) : json;
  return reply.code(status).header('content-type', 'application/json').send(body);
}

/** Adds header fields, given as names and values in turn. */
export function addHeaders(reply: FastifyReply, fields: readonly string[]): void {
  for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] ?? '', fields[at + 1]);
}

/** Gives an answer that is ready by way of Fastify. */
export function sendAnswer(reply: FastifyReply, { body, own }: KeptAnswer): FastifyReply {
  addHeaders(reply, own);
  return sendJson(reply, 200, body);
}

/** Answers the Error body of a code (contract, section 7). */
export function sendError(reply: FastifyReply, code: ErrorCode, message: string): FastifyReply {
  return sendJson(reply, errorStatus[code], JSON.stringify(createServiceError(code, message)));
}
