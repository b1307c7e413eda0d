import type { ClientConfig } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../store.ts';
import { type Connection, openConnection } from './connection.ts';

/** A pipelined connection carries any number of statements; the second is there for when one waits on a slow one. */
const CONNECTIONS = 2;

/** Who has waited longer for a connection that turned out to be lost is not made to wait again. */
const PATIENCE_MS = 1_000;

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
      const askedAt = performance.now();
      try {
        return await next().query(statement, values);
      } catch (error) {
        if (!(error instanceof StoreOutcomeUnknownError)) throw error;
        if (performance.now() - askedAt > PATIENCE_MS) throw toUnavailable(error);
      }
      // Lost under way, as when the database fails over: a read may simply be asked again.
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
