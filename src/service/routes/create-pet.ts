import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { headers } from '../../contract/headers.ts';
import { DEFAULT_STATUS } from '../../contract/pet.ts';
import { sendError, sendJson } from '../http/responses.ts';
import type { AddQueue } from '../storage/add-queue.ts';
import { parseNewPet } from './parse-new-pet.ts';

const IdempotencyKey = v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)));

/** POST /pets (contract, section 4.2), repeatable by Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07). */
export function createPetHandler(adds: AddQueue) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const coding = request.headers['content-encoding'] ?? 'identity';
    if (coding !== 'identity') return sendError(reply, 'unsupported_media_type', codingRule);
    const key = v.safeParse(IdempotencyKey, request.headers['idempotency-key']);
    if (!key.success) return sendError(reply, 'invalid_request', keyRule);
    const parsed = parseNewPet(request.body);
    if (!parsed.success) return sendError(reply, 'invalid_request', parsed.message);
    const pet = { status: DEFAULT_STATUS, ...parsed.pet };
    const outcome = await adds.add({ pet, idempotencyKey: key.output });
    if (outcome.kind === 'mismatch') return sendError(reply, 'idempotency_mismatch', mismatch);
    if (outcome.kind === 'replayed') reply.header(headers.idempotencyReplayed, 'true');
    reply.header('location', `pets/${outcome.pet.id}`);
    return sendJson(reply, 201, outcome.pet.json);
  };
}

const codingRule = 'the body must not be in a coding such as gzip';
const keyRule = `${headers.idempotencyKey}: must be 1 to 255 visible ASCII characters`;
const mismatch = `this ${headers.idempotencyKey} was used before with another body: use a new one`;
