import type { ClientConfig } from 'pg';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../store.ts';
import { type Connection, openConnection } from './connection.ts';

/** A pipelined connection carries any number of statements; the second is there for when one waits on a slow one. */
const CONNECTIONS = 2;

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
    // Lost under way, as when the database fails over: a read may simply be asked again.
    query: (statement, values) =>
      next()
        .query(statement, values)
        .catch((error) => {
          if (!(error instanceof StoreOutcomeUnknownError)) throw error;
          return next().query(statement, values);
        })
        .catch((error) => {
          if (!(error instanceof StoreOutcomeUnknownError)) throw error;
          throw new StoreUnavailableError(error.message, { cause: error });
        }),
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
