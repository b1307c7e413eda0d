import { createConnections } from './connections/connections.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createLingeringClose } from './lingering-close.ts';
import { createReading } from './reading.ts';
import type { Refusals } from './refusals.ts';
import { createRequestAdmission } from './requests.ts';
import { createTurns } from './turns.ts';
import { createUnanswered } from './unanswered.ts';

export interface AdmissionSettings {
  /** What is in front of the service then counts the connections of each client. */
  readonly behindProxy: boolean;
  readonly connectionsPerAddress?: number | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * What bounds a service, whatever its clients do. One for all servers of its port, whose clients share the limits; the
 * metrics port has another.
 */
export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(settings: AdmissionSettings, refusals: Refusals) {
  const limits = resolveLimits(settings);
  const turns = createTurns(limits);
  const reading = createReading(limits, turns);
  const unanswered = createUnanswered(limits, refusals);
  return {
    limits,
    refusals,
    connections: createConnections(limits, {
      refusals,
      turns,
      reading,
      isWaiting: unanswered.isWaiting,
    }),
    requests: createRequestAdmission(limits, refusals),
    unanswered,
    lingering: createLingeringClose(limits),
    reading,
    waitForTurn: turns.wait,
  };
}

function resolveLimits({ behindProxy, connectionsPerAddress, limits }: AdmissionSettings): Limits {
  return {
    ...defaultLimits,
    ...(connectionsPerAddress !== undefined && { connectionsPerAddress }),
    ...(behindProxy && { isExemptAddress: () => true }),
    ...limits,
  };
}
