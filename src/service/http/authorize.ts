import type { Verdict } from '../keys/authenticator.ts';
import type { ServiceResponse } from './message.ts';
import { errorResponse } from './responses.ts';

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

/** The response to a request whose key is missing or invalid (contract, section 5). */
export function refuseKey(verdict: Exclude<Verdict, 'accepted'>): ServiceResponse {
  const { challenge, message } = refusals[verdict];
  return errorResponse('unauthorized', message, ['WWW-Authenticate', challenge]);
}
