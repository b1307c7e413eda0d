import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describeRule } from '../../contract/error.ts';
import { headerNames, IDEMPOTENCY_LIFETIME_MS, IdempotencyKey } from '../../contract/headers.ts';
import { NoQuery } from '../../contract/operations.ts';
import { encodePet } from '../../contract/pet.ts';
import { ServiceError } from '../service-error.ts';
import type { AddQueue } from '../storage/add-queue.ts';
import { parseNewPet } from './parse-new-pet.ts';
import { parseQuery } from './parse-query.ts';
import { sendJson } from './send-json.ts';

const otherPet = new ServiceError(
  'idempotency_mismatch',
  'this idempotency key was used before for another pet',
);

/** POST /pets (section 4.2). The pet is durable when the response is sent. */
export function createCreatePet(adds: Pick<AddQueue, 'add'>) {
  return async (request: FastifyRequest, response: FastifyReply) => {
    parseQuery(NoQuery, request.query);
    const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
    const pet = parseNewPet(request.body);
    const outcome = await adds.add({ pet, idempotencyKey, keyId: request.apiKey.id });
    if (outcome.kind === 'mismatch') throw otherPet;
    if (outcome.kind === 'replayed') response.header(headerNames.idempotencyReplayed, 'true');
    if (idempotencyKey !== undefined)
      response.header(headerNames.idempotencyExpires, formatExpiry(outcome.at));
    response.code(201).header('Location', `pets/${outcome.id}`);
    return sendJson(response, encodePet({ id: outcome.id, ...pet }));
  };
}

/** Until when a key is known that was first used at a time: in whole seconds, never too late. */
function formatExpiry(at: Date): string {
  return new Date(at.getTime() + IDEMPOTENCY_LIFETIME_MS).toUTCString();
}

function parseIdempotencyKey(value: unknown): string | undefined {
  const parsed = v.safeParse(v.optional(IdempotencyKey), value);
  if (parsed.success) return parsed.output;
  const rule = describeRule(parsed.issues[0]);
  throw new ServiceError('invalid_request', `${headerNames.idempotencyKey}: ${rule}`);
}
