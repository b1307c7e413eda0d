import type { Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import type { ConnectionLimit, Refusals } from '../refusals.ts';
import type { ConnectionActivity } from './activity.ts';
import { createClientNetworks } from './client-networks.ts';

type AdmissionLimits = Pick<
  Limits,
  'maxConnections' | 'silentTime' | 'quietTime' | 'connectionsPerAddress' | 'isExemptAddress'
>;

interface Parts {
  readonly open: ConnectionActivity;
  readonly refusals: Pick<Refusals, 'closeConnection'>;
  /** Whether a connection waits neither for its turn nor for a response. */
  readonly isIdle: (socket: Socket) => boolean;
}

/** Bounds the number of open connections. */
export interface ConnectionAdmission {
  /** Follows a new connection, for which another may be closed; when there is no room it is closed itself. */
  admit(socket: Socket): boolean;
}

export function createConnectionAdmission(
  limits: AdmissionLimits,
  { open, refusals, isIdle }: Parts,
): ConnectionAdmission {
  const networks = createClientNetworks(limits);

  function findLimit(socket: Socket): ConnectionLimit | undefined {
    if (networks.isFull(socket)) return 'connections_of_address';
    return open.size < limits.maxConnections || makeRoom() ? undefined : 'connections';
  }

  function makeRoom(): boolean {
    // The request of one that was opened just now may be on its way.
    const socket =
      open.silent.findOldest(limits.silentTime) ??
      open.findQuiet(isIdle, limits.quietTime) ??
      open.silent.findOldest(0);
    if (socket === undefined) return false;
    open.forget(socket);
    refusals.closeConnection(socket, 'connections');
    return true;
  }

  return {
    admit(socket) {
      const limit = findLimit(socket);
      if (limit !== undefined) {
        refusals.closeConnection(socket, limit);
        return false;
      }
      open.follow(socket);
      networks.count(socket);
      return true;
    },
  };
}
