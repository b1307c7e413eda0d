import type { ClientConfig } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../store.ts';
import { type Connection, openConnection } from './open-connection.ts';

/** A pipelined connection carries any number of statements; with a second one, not all wait for a slow one. */
const CONNECTIONS = 2;

/** A read that waited longer than this for a connection that was lost is not retried, in milliseconds. */
const RETRY_WITHIN_MS = 1_000;

export type ReadingPool = Pick<Connection, 'query' | 'close'>;

/** Connections for statements that change nothing, used in turn. */
export function openReadingPool(config: ClientConfig): ReadingPool {
  const connections = Array.from({ length: CONNECTIONS }, () => openConnection(config));
  let turn = 0;
  function next(): Connection {
    turn = (turn + 1) % CONNECTIONS;
    const connection = connections[turn];
    if (connection === undefined) throw new RangeError('no connection');
    return connection;
  }
  return {
    async query(statement, values) {
      const startedAt = performance.now();
      try {
        return await next().query(statement, values);
      } catch (error) {
        if (!(error instanceof StoreOutcomeUnknownError)) throw error;
        if (performance.now() - startedAt > RETRY_WITHIN_MS) throw toUnavailable(error);
      }
      // Lost during the statement, as when the database fails over: a read can be retried.
      return await next()
        .query(statement, values)
        .catch((error) => {
          throw toUnavailable(error);
        });
    },
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** A read has no outcome that could be unknown. */
function toUnavailable(error: unknown): unknown {
  return error instanceof StoreOutcomeUnknownError
    ? new StoreUnavailableError(error.message, { cause: error })
    : error;
}
