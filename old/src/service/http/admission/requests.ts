import type { Int64 } from '../../../contract/int64.ts';
import { RETRY_AFTER } from '../error-response.ts';
import { errorResponse, type ServiceResponse } from '../response.ts';
import type { Route } from '../router.ts';
import type { Limits } from './limits.ts';
import type { Refusals, RequestLimit } from './refusals.ts';

type RequestLimits = Pick<
  Limits,
  | 'requestsInFlight'
  | 'reservedForHealth'
  | 'addsInFlight'
  | 'addsInFlightOfOneKey'
  | 'readsInFlight'
>;

/** Bounds the requests that wait for something. What is responded to at once is never counted: it takes no room. */
export interface RequestAdmission {
  /** The response to a request for which there is no room, decided before any work. */
  refuse(route: Route): ServiceResponse | undefined;
  /** A request waits; `leave` must follow. */
  enter(): void;
  leave(): void;
  /** The response to a read for which there is no room. */
  refuseRead(): ServiceResponse | undefined;
  /** Counts a read that waits. */
  holdRead(reading: Promise<unknown>): void;
  /** Runs an add with this key if there is room. */
  holdAdd(
    key: Int64 | undefined,
    add: () => Promise<ServiceResponse>,
  ): ServiceResponse | Promise<ServiceResponse>;
  readonly waiting: { readonly requests: number; readonly adds: number; readonly reads: number };
}

export function createRequestAdmission(
  limits: RequestLimits,
  refusals: Refusals,
): RequestAdmission {
  const waiting = { requests: 0, adds: 0, reads: 0 };
  const addsByKey = new Map<Int64 | undefined, number>();

  function refuseAt(limit: RequestLimit): ServiceResponse {
    refusals.countRequest(limit);
    return responses[limit];
  }

  function leaveAdd(key: Int64 | undefined): void {
    waiting.adds -= 1;
    const left = (addsByKey.get(key) ?? 1) - 1;
    if (left === 0) addsByKey.delete(key);
    else addsByKey.set(key, left);
  }

  function leaveRead(): void {
    waiting.reads -= 1;
  }

  return {
    waiting,

    refuse({ operation }) {
      const reserved = operation === 'health' ? 0 : limits.reservedForHealth;
      if (waiting.requests < limits.requestsInFlight - reserved) return undefined;
      return refuseAt('requests');
    },

    enter() {
      waiting.requests += 1;
    },

    leave() {
      waiting.requests -= 1;
    },

    refuseRead: () => (waiting.reads < limits.readsInFlight ? undefined : refuseAt('reads')),

    holdRead(reading) {
      waiting.reads += 1;
      void reading.then(leaveRead, leaveRead);
    },

    holdAdd(key, add) {
      if (waiting.adds >= limits.addsInFlight) return refuseAt('adds');
      const ofKey = addsByKey.get(key) ?? 0;
      if (ofKey >= limits.addsInFlightOfOneKey) return refuseAt('adds_of_key');
      waiting.adds += 1;
      addsByKey.set(key, ofKey + 1);
      const adding = add();
      const leave = () => leaveAdd(key);
      void adding.then(leave, leave);
      return adding;
    },
  };
}

const messages: Record<RequestLimit, string> = {
  requests: 'too many requests are in flight: try again',
  adds: 'too many adds are waiting: try again',
  adds_of_key: 'too many adds with this API key are waiting: try again',
  reads: 'too many reads are waiting for the database: try again',
};

function createRefusal(limit: RequestLimit): ServiceResponse {
  return errorResponse('unavailable', messages[limit], RETRY_AFTER);
}

const responses: Record<RequestLimit, ServiceResponse> = {
  requests: createRefusal('requests'),
  adds: createRefusal('adds'),
  adds_of_key: createRefusal('adds_of_key'),
  reads: createRefusal('reads'),
};
