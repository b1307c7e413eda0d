import type { Socket } from 'node:net';
import type { Limits } from '../limits.ts';
import { toClientNetwork } from '../peer-address.ts';

/** Counts connections by where they come from. */
export interface ClientNetworks {
  /** Whether as many connections come from where this one does as may. */
  isFull(socket: Socket): boolean;
  /** Counts a connection until it is closed. */
  count(socket: Socket): void;
}

export function createClientNetworks({
  connectionsPerAddress,
  isExemptAddress,
}: Pick<Limits, 'connectionsPerAddress' | 'isExemptAddress'>): ClientNetworks {
  const counts = new Map<string, number>();

  function find({ remoteAddress }: Socket): string | undefined {
    if (remoteAddress === undefined || isExemptAddress(remoteAddress)) return undefined;
    return toClientNetwork(remoteAddress);
  }

  function release(network: string): void {
    const left = (counts.get(network) ?? 1) - 1;
    if (left === 0) counts.delete(network);
    else counts.set(network, left);
  }

  return {
    isFull(socket) {
      const network = find(socket);
      return network !== undefined && (counts.get(network) ?? 0) >= connectionsPerAddress;
    },
    count(socket) {
      const network = find(socket);
      if (network === undefined) return;
      counts.set(network, (counts.get(network) ?? 0) + 1);
      socket.once('close', () => release(network));
    },
  };
}
