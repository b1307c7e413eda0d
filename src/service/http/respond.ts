import type { IncomingMessage } from 'node:http';
import type { ServiceContext } from '../context.ts';
import type { RequestAdmission } from './admission/requests.ts';
import { keyRefusals } from './error-response.ts';
import type { ServiceResponse } from './response.ts';
import type { Match } from './router.ts';

export type Pending = ServiceResponse | Promise<ServiceResponse>;

/** A request whose route was found. */
export interface RequestToHandle {
  readonly request: IncomingMessage;
  readonly url: string;
  readonly match: Match;
  /** Where the route reads a body. */
  readonly readBody: (() => Promise<Buffer>) | undefined;
}

/** Checks the key, where one is needed, and lets the handler respond if there is room for it. */
export function respond(
  { request, url, match, readBody }: RequestToHandle,
  requests: RequestAdmission,
  services: ServiceContext,
): Pending {
  const { headers } = request;
  const { route, parameter } = match;

  function handle(): Pending {
    if (readBody !== undefined)
      return requests.holdAdd(headers.authorization, () =>
        readBody().then((body) => route.handle({ url, parameter, headers, body }, services)),
      );
    const refusal = route.needsKey ? requests.refuseRead() : undefined;
    const result = refusal ?? route.handle({ url, parameter, headers, body: noBody }, services);
    if (route.needsKey && result instanceof Promise) requests.holdRead(result);
    return result;
  }

  if (!route.needsKey) return handle();
  const verdict = services.authenticator.authenticate(headers.authorization);
  if (verdict === 'accepted') return handle();
  if (typeof verdict === 'string') return keyRefusals[verdict];
  return verdict.then((late) => (late === 'accepted' ? handle() : keyRefusals[late]));
}

const noBody = new Uint8Array();
