import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { operations } from '../../contract/operations.ts';
import type { ServiceContext } from '../context.ts';
import { idempotencyPromise } from '../http/response-cache.ts';
import { sendError } from '../http/responses.ts';
import type { Authenticator, Verdict } from '../keys/authenticator.ts';
import { createObserver } from '../monitoring/request-log.ts';
import { createPetHandler } from './create-pet.ts';
import { createGetPet, createReadPet } from './get-pet.ts';
import { createListPets, createReadPage } from './list-pets.ts';
import { addNothingHere } from './not-found.ts';

/** Adds the contract's three operations, each behind its key. */
export function addV1(app: FastifyInstance, context: ServiceContext): void {
  const { store, adds, authenticator, kept, getPetClock } = context;
  const onSend = (operation: string) => ({ onSend: createObserver(context, operation) });
  void app.register(
    (v1, _options, done) => {
      v1.addHook('onRequest', createAuthorizeHook(authenticator));
      addNothingHere(v1, () => true);
      v1.get(
        operations.listPets.path,
        onSend('listPets'),
        createListPets(createReadPage(store, kept.pages)),
      );
      v1.post(operations.createPet.path, onSend('createPet'), createPetHandler(adds));
      const getPet = createGetPet(createReadPet(store, kept.pets), getPetClock);
      v1.get('/pets/:petId', onSend('getPet'), getPet);
      done();
    },
    { prefix: '/v1' },
  );
}

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

/** Comes before anything else on every /v1 path (contract, section 5). Resolves to whether the request may go on. */
export function createAuthorize({ authenticate }: Authenticator) {
  return (request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> => {
    reply.header(...idempotencyPromise);
    const verdict = authenticate(request.headers.authorization);
    return verdict instanceof Promise
      ? verdict.then((late) => admit(late, reply))
      : admit(verdict, reply);
  };
}

function admit(verdict: Verdict, reply: FastifyReply): boolean {
  if (verdict === 'accepted') return true;
  const { challenge, message } = refusals[verdict];
  reply.header('www-authenticate', challenge);
  sendError(reply, 'unauthorized', message);
  return false;
}

/** As a hook that calls back: one that returns a promise took 1 µs longer on every request. */
function createAuthorizeHook(authenticator: Authenticator): onRequestHookHandler {
  const authorize = createAuthorize(authenticator);
  return (request, reply, done) => {
    const mayGoOn = authorize(request, reply);
    if (mayGoOn === true) done();
    else if (mayGoOn !== false) mayGoOn.then((may) => may && done(), done);
  };
}
