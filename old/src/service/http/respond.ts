import type { IncomingMessage } from 'node:http';
import type { ServiceContext } from '../context.ts';
import type { AcceptedKey, Verdict } from '../keys/authenticator.ts';
import type { RequestAdmission } from './admission/requests.ts';
import { insufficientScope, keyRefusals } from './error-response.ts';
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
  /** Once it was found valid. */
  key: AcceptedKey | undefined;
}

/** Checks the key, where one is needed, and lets the handler respond if there is room for it. */
export function respond(
  exchange: RequestToHandle,
  requests: RequestAdmission,
  services: ServiceContext,
): Pending {
  const { url, readBody } = exchange;
  const { headers } = exchange.request;
  const { route, parameter } = exchange.match;

  function handle(key?: AcceptedKey): Pending {
    if (readBody !== undefined)
      return requests.holdAdd(key?.id, () =>
        readBody().then((body) => route.handle({ url, parameter, headers, body, key }, services)),
      );
    const refusal = route.needsKey ? requests.refuseRead() : undefined;
    const result =
      refusal ?? route.handle({ url, parameter, headers, body: noBody, key }, services);
    if (route.needsKey && result instanceof Promise) requests.holdRead(result);
    return result;
  }

  /** What a key may not do is refused before the body and idempotency keys are looked at. */
  function judge(verdict: Verdict): Pending {
    if (typeof verdict === 'string') return keyRefusals[verdict];
    exchange.key = verdict;
    return route.access === 'write' && verdict.access === 'read'
      ? insufficientScope
      : handle(verdict);
  }

  if (!route.needsKey) return handle();
  const verdict = services.authenticator.authenticate(headers.authorization);
  return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
}

const noBody = new Uint8Array();
