import type { ClientConfig, QueryConfig } from 'pg';
import * as v from 'valibot';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../store.ts';
import { createLink } from './link.ts';
import { isConnectionUnusable, toStoreError } from './store-error.ts';

/** A prepared statement: its name on the server, its text, and the shape of a row it returns. */
interface Statement<Row extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly text: string;
  readonly row: Row;
}

/** One connection, which is opened again after the database was unavailable. Errors are those of the store's port. */
export interface Connection {
  query<Row extends v.GenericSchema>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<v.InferOutput<Row>[]>;
  /**
   * Runs a statement, after one that takes a lock when there is one, in an explicit transaction, so that a failed commit
   * is told from a failed statement. All of it is sent at once.
   */
  transact<Row extends v.GenericSchema>(
    statement: Statement<Row>,
    values: readonly unknown[],
    lock?: Statement,
  ): Promise<v.InferOutput<Row>[]>;
  /** Statements without a response. */
  readonly waiting: number;
  /** How long the oldest of them has waited, in milliseconds. */
  readonly oldestAge: number;
  /** Gives up what waits for a response, and connects anew for the next statement. */
  abandon(): void;
  close(): Promise<void>;
}

/** What waits longer than this for a response keeps others from being sent after it, in milliseconds. */
export const PATIENCE_MS = 1_000;

/**
 * Statements are pipelined: each is sent at once, in a transaction of its own, and results come in order. So a longer
 * transaction must be sent as a whole, or statements of others would become part of it.
 */
export function openConnection(config: ClientConfig, onConnect?: () => void): Connection {
  const link = createLink(config, onConnect);
  /** In the order of their sending. */
  const unanswered = new Set<{ readonly since: number }>();

  function findOldestAge(): number {
    const [oldest] = unanswered;
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  /** Sends all of it at once and waits for every result. The first failure counts: it causes the others. */
  async function send(queries: readonly QueryConfig[]) {
    if (findOldestAge() > PATIENCE_MS)
      throw new StoreUnavailableError('the database has not responded for a second');
    const entry = { since: performance.now() };
    unanswered.add(entry);
    try {
      const { client, forget, countWarnings } = await link.connect();
      const warnings = countWarnings();
      const results = await Promise.allSettled(queries.map((query) => client.query(query)));
      const failed = results.findIndex(({ status }) => status === 'rejected');
      const failure = results[failed];
      if (failure?.status === 'rejected') {
        if (isConnectionUnusable(failure.reason)) forget();
        throw toStoreError(failure.reason, queries[failed]?.name === COMMIT.name);
      }
      if (countWarnings() !== warnings)
        throw new StoreOutcomeUnknownError('the wait for the synchronous replica was canceled');
      return results.map((result) => (result.status === 'fulfilled' ? result.value.rows : []));
    } finally {
      unanswered.delete(entry);
    }
  }

  return {
    async query({ name, text, row }, values) {
      const [rows] = await send([{ name, text, values: [...values] }]);
      return v.parse(v.array(row), rows);
    },
    async transact({ name, text, row }, values, lock) {
      const locking = lock === undefined ? [] : [{ name: lock.name, text: lock.text }];
      const statement = { name, text, values: [...values] };
      const results = await send([BEGIN, ...locking, statement, COMMIT]);
      return v.parse(v.array(row), results.at(-2));
    },
    get waiting() {
      return unanswered.size;
    },
    get oldestAge() {
      return findOldestAge();
    },
    abandon: link.abandon,
    close: link.close,
  };
}

const BEGIN = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
const COMMIT = { name: 'commit', text: 'COMMIT' };
