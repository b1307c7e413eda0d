import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { headers } from '../../contract/headers.ts';
import { DEFAULT_STATUS } from '../../contract/pet.ts';
import { parseNewPet } from '../parse-new-pet.ts';
import { sendError, sendJson } from '../send.ts';
import type { Store } from '../store.ts';

const IdempotencyKey = v.optional(
  v.pipe(v.string(), v.regex(/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/)),
);

/** POST /pets (contract, section 4.2). */
export function createCreatePet(store: Pick<Store, 'addPets'>, now: () => Date) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const key = v.safeParse(IdempotencyKey, request.headers['idempotency-key']);
    if (!key.success)
      return sendError(
        reply,
        'invalid_request',
        `${headers.idempotencyKey}: must be 1 to 255 visible ASCII characters`,
      );
    const parsed = parseNewPet(request.body);
    if (!parsed.success) return sendError(reply, 'invalid_request', parsed.message);

    const pet = { status: DEFAULT_STATUS, ...parsed.pet };
    const [outcome] = await store.addPets([{ pet, idempotencyKey: key.output }], now());
    if (outcome === undefined || outcome.kind === 'mismatch')
      return sendError(
        reply,
        'idempotency_mismatch',
        `this ${headers.idempotencyKey} was used before with another body: use a new one`,
      );
    if (outcome.kind === 'replayed') reply.header(headers.idempotencyReplayed, 'true');
    reply.header('location', `pets/${outcome.pet.id}`);
    return sendJson(reply, 201, outcome.pet.json);
  };
}
