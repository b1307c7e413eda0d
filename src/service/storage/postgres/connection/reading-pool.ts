import type { ClientConfig } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../store.ts';
import { type Connection, openConnection } from './open-connection.ts';

/** A read that waited longer than this for a connection that was lost is not retried, in milliseconds. */
const RETRY_WITHIN_MS = 1_000;

/**
 * Connections for statements that change nothing, used in turn: each carries any number of statements, and with a second
 * one not all wait for a slow one.
 */
export function openReadingPool(config: ClientConfig): Pick<Connection, 'query' | 'close'> {
  const connections = [openConnection(config), openConnection(config)] as const;
  let turn: 0 | 1 = 0;
  function next(): Connection {
    turn = turn === 0 ? 1 : 0;
    return connections[turn];
  }
  return {
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
