import type { ClientConfig } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../store.ts';
import { type Connection, openConnection } from './open-connection.ts';

/** A read that waited longer than this for a connection that was lost is not retried, in milliseconds. */
const RETRY_WITHIN_MS = 1_000;

/** A connection whose oldest statement is older than this is slow, in milliseconds: reads take the other one. */
const SLOW_MS = 50;

interface ReadingPool extends Pick<Connection, 'query' | 'close'> {
  readonly connections: readonly Connection[];
}

/**
 * Two connections for statements that change nothing of what is read: each carries any number of statements, and what
 * is slow on one does not delay the other. `onConnect` is called for each new connection.
 */
export function openReadingPool(config: ClientConfig, onConnect?: () => void): ReadingPool {
  const connections = [
    openConnection(config, onConnect),
    openConnection(config, onConnect),
  ] as const;
  let turn: 0 | 1 = 0;
  function next(): Connection {
    turn = turn === 0 ? 1 : 0;
    const [one, other] = [connections[turn], connections[turn === 0 ? 1 : 0]];
    return compareLoad(one, other) <= 0 ? one : other;
  }
  return {
    connections,
    async query(statement, values) {
      const retryUntil = performance.now() + RETRY_WITHIN_MS;
      for (let isRetry = false; ; isRetry = true) {
        try {
          return await next().query(statement, values);
        } catch (error) {
          if (!(error instanceof StoreOutcomeUnknownError)) throw error;
          // Lost during the statement, as when the database fails over: a read has no unknown outcome and can be retried.
          if (isRetry || performance.now() > retryUntil) {
            throw new StoreUnavailableError(error.message, { cause: error });
          }
        }
      }
    },
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** Which of two connections a statement waits less on, as a sort does. */
function compareLoad(one: Connection, other: Connection): number {
  const slowness = Number(one.oldestAge > SLOW_MS) - Number(other.oldestAge > SLOW_MS);
  return slowness || one.waiting - other.waiting;
}
