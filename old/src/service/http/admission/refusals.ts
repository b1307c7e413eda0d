import type { Socket } from 'node:net';
import type { Log } from '../../monitoring/log.ts';
import { writeMetric } from '../../monitoring/process-metrics.ts';

/** Limits at which a request is refused with 503. */
const requestLimits = ['requests', 'adds', 'adds_of_key', 'reads'] as const;
export type RequestLimit = (typeof requestLimits)[number];

/** Limits at which a connection is closed. */
const connectionLimits = [
  'connections',
  'connections_of_address',
  'first_byte',
  'unanswered_requests',
  'unread_responses',
  'body_pieces',
] as const;
export type ConnectionLimit = (typeof connectionLimits)[number];

export type Refusals = ReturnType<typeof createRefusals>;

/** Counts what was refused at a limit, and logs the connections: requests are logged with their response. */
export function createRefusals(log: Log) {
  const requests = new Map<string, number>(requestLimits.map((limit) => [limit, 0]));
  const connections = new Map<string, number>(connectionLimits.map((limit) => [limit, 0]));

  return {
    countRequest: (limit: RequestLimit): void => increment(requests, limit),

    /** Destroys a connection that has reached a limit. */
    closeConnection(socket: Socket, limit: ConnectionLimit): void {
      if (socket.destroyed) return;
      increment(connections, limit);
      log.info?.('connection closed', { limit, client: socket.remoteAddress });
      socket.destroy();
    },

    /** Lines for Prometheus. */
    write: (): string[] => [
      ...writeCounter('petstore_refused_requests_total', 'Requests refused at a limit.', requests),
      ...writeCounter(
        'petstore_closed_connections_total',
        'Connections closed at a limit.',
        connections,
      ),
    ],
  };
}

function increment(counts: Map<string, number>, limit: string): void {
  counts.set(limit, (counts.get(limit) ?? 0) + 1);
}

function writeCounter(name: string, help: string, counts: Map<string, number>): string[] {
  const samples = [...counts].map(([limit, count]) => `${name}{limit="${limit}"} ${count}`);
  return writeMetric('counter', name, help, samples);
}
