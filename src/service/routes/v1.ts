import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headers, IDEMPOTENCY_DAYS } from '../../contract/headers.ts';
import { operations } from '../../contract/operations.ts';
import type { ServiceContext } from '../context.ts';
import type { Authenticator } from '../keys/authenticator.ts';
import { createObserver } from '../observer.ts';
import { sendError } from '../send.ts';
import { createCreatePet } from './create-pet.ts';
import { createGetPet } from './get-pet.ts';
import { createListPets } from './list-pets.ts';
import { addNothingHere } from './nothing-here.ts';

/** Adds the contract's three operations, each behind its key. */
export function addV1(app: FastifyInstance, context: ServiceContext): void {
  const { store, adds, authenticator, getPetClock } = context;
  const onSend = (operation: string) => ({ onSend: createObserver(context, operation) });
  void app.register(
    (v1, _options, done) => {
      v1.addHook('onRequest', createAuthorize(authenticator));
      addNothingHere(v1, () => true);
      v1.get(operations.listPets.path, onSend('listPets'), createListPets(store));
      v1.post(operations.createPet.path, onSend('createPet'), createCreatePet(adds));
      v1.get('/pets/:petId', onSend('getPet'), createGetPet(store, getPetClock));
      done();
    },
    { prefix: '/v1' },
  );
}

const idempotency = `${IDEMPOTENCY_DAYS}d`;

const refusals = {
  missing: {
    challenge: 'Bearer realm="petstore"',
    message: 'an API key is needed: send it as Authorization: Bearer <API_KEY>',
  },
  invalid: {
    challenge: 'Bearer realm="petstore", error="invalid_token"',
    message: 'this API key is not valid',
  },
} as const;

/** Comes before anything else on every /v1 path (contract, section 5). */
export function createAuthorize({ authenticate }: Authenticator) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    reply.header(headers.petstoreIdempotency, idempotency);
    const verdict = await authenticate(request.headers.authorization);
    if (verdict === 'accepted') return undefined;
    const { challenge, message } = refusals[verdict];
    reply.header('www-authenticate', challenge);
    return sendError(reply, 'unauthorized', message);
  };
}
