import * as v from 'valibot';
import { headers } from '../../contract/headers.ts';
import { DEFAULT_STATUS } from '../../contract/pet.ts';
import { errorResponse, jsonResponse, type ServiceResponse } from '../http/response.ts';
import type { Handler } from '../http/router.ts';
import type { AddOutcome } from '../storage/store.ts';
import { parseNewPet } from './parse-new-pet.ts';
import { refuseQuery } from './parse-query.ts';

const IdempotencyKey = v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/)));

/** POST /pets (contract, section 4.2), repeatable by Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07). */
export const createPet: Handler = (request, { adds }) => {
  const problem = refuseQuery(request.url);
  if (problem !== undefined) return errorResponse('invalid_request', problem);
  const key = v.safeParse(IdempotencyKey, request.headers['idempotency-key']);
  if (!key.success) return errorResponse('invalid_request', keyRule);
  const parsed = parseNewPet(request.body);
  if (typeof parsed === 'string') return errorResponse('invalid_request', parsed);
  const { name, categoryId, status = DEFAULT_STATUS } = parsed;
  const pet = { name, categoryId, status };
  const addition = { pet, idempotencyKey: key.output, keyId: request.key?.id };
  return adds.add(addition).then(toResponse);
};

function toResponse(outcome: AddOutcome): ServiceResponse {
  if (outcome.kind === 'mismatch') return errorResponse('idempotency_mismatch', mismatch);
  const { id, json } = outcome.pet;
  const replayed = outcome.kind === 'replayed' ? [headers.idempotencyReplayed, 'true'] : [];
  return jsonResponse(201, json, ['Location', `pets/${id}`, ...replayed]);
}

const keyRule = `${headers.idempotencyKey}: must be 1 to 255 visible ASCII characters`;
const mismatch = `this ${headers.idempotencyKey} was used before with another body: use a new one`;
