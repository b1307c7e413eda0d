import { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryConfig } from 'pg';
import * as v from 'valibot';
import { StoreUnavailableError } from '../store.ts';
import { isConnectionSpent, toStoreError } from './store-error.ts';

/** A prepared statement: its name on the server, its text, and the shape of a row it answers. */
interface Statement<Row extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly text: string;
  readonly row: Row;
}

/** One connection that comes back by itself after the database was away. Failures are those of the store's port. */
export interface Connection {
  query<Row extends v.GenericSchema>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<v.InferOutput<Row>[]>;
  /** Runs a statement in one transaction with another before it, which takes a lock; all of it is sent at once. */
  queryLocked<Row extends v.GenericSchema>(
    lock: Statement,
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<v.InferOutput<Row>[]>;
  close(): Promise<void>;
}

/** How long a server may take to let us in, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** How long after the server should have given up on a statement a connection without an answer counts as lost. */
const SILENCE_MS = 3_000;

/** How long a server may take over our goodbye before the connection is cut, in milliseconds. */
const GOODBYE_MS = 1_000;

/** Sooner than firewalls forget a connection that nobody uses. */
const KEEP_ALIVE_MS = 30_000;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

/**
 * Statements are pipelined: each is sent at once and answered in turn, every one a transaction of its own.
 * So a transaction must be sent as a whole, or what others send would fall into it.
 */
export function openConnection(config: ClientConfig): Connection {
  const link = createLink(config);
  return {
    async query({ name, text, row }, values) {
      const reached = await link.reach();
      const [result] = await settle(reached, [{ name, text, values: [...values] }]);
      return v.parse(v.array(row), result?.rows);
    },
    async queryLocked(lock, { name, text, row }, values) {
      const reached = await link.reach();
      const [, , result] = await settle(reached, [
        { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' },
        { name: lock.name, text: lock.text },
        { name, text, values: [...values] },
        { name: 'commit', text: 'COMMIT' },
      ]);
      return v.parse(v.array(row), result?.rows);
    },
    close: () => link.close(),
  };
}

/** Sends all of it at once and waits for every answer. The first failure counts: the others come of it. */
async function settle({ client, forget }: Reached, queries: readonly QueryConfig[]) {
  const answers = await Promise.allSettled(queries.map((query) => client.query(query)));
  return answers.map((answer) => {
    if (answer.status === 'fulfilled') return answer.value;
    if (isConnectionSpent(answer.reason)) forget();
    throw toStoreError(answer.reason);
  });
}

interface Reached {
  readonly client: Client;
  forget(): void;
  close(): Promise<void>;
}

/** Keeps one client connected: opened when first needed, again after a loss, with growing pauses while that fails. */
function createLink(config: ClientConfig) {
  let current: Promise<Reached> | undefined;
  let failures = 0;
  let nextAttempt = 0;

  function open(): Promise<Reached> {
    const { client, close } = createClient(config);
    const opening = connect(client).then(() => ({ client, forget, close }));
    function forget(): void {
      if (current === opening) current = undefined;
      client.end().catch(() => {});
    }
    client.on('error', forget);
    client.on('end', forget);
    opening.catch(forget);
    return opening;
  }

  async function connect(client: Client): Promise<void> {
    try {
      await client.connect();
      await keepCommitsDurable(client);
      failures = 0;
    } catch (error) {
      const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
      // Instances that lost the database together must not all come back at the same instant.
      nextAttempt = performance.now() + delay * (0.5 + Math.random() / 2);
      failures += 1;
      throw new StoreUnavailableError('the database is out of reach', { cause: error });
    }
  }

  return {
    async reach(): Promise<Reached> {
      if (current === undefined && performance.now() < nextAttempt) {
        throw new StoreUnavailableError('the database is out of reach; the next attempt is near');
      }
      current ??= open();
      return current;
    },
    async close(): Promise<void> {
      const reached = await current?.catch(() => undefined);
      await reached?.close();
    },
  };
}

/** A client, and a way to end it that no server can hold up. */
function createClient(config: ClientConfig) {
  const socket = new Socket();
  const client = new Client({
    ...config,
    stream: () => socket,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // A program that is stopped half-way must not keep its lock.
    idle_in_transaction_session_timeout: config.statement_timeout || undefined,
    query_timeout: (config.statement_timeout || 0) + SILENCE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  async function close(): Promise<void> {
    const cut = setTimeout(() => socket.destroy(), GOODBYE_MS);
    await client.end();
    clearTimeout(cut);
  }
  return { client, close };
}

/** A server may be set to answer a commit before it is on the disk; stronger settings than `on` stay. */
async function keepCommitsDurable(client: Client): Promise<void> {
  const { rows } = await client.query('SHOW synchronous_commit');
  const [setting] = v.parse(v.tuple([v.object({ synchronous_commit: v.string() })]), rows);
  if (setting.synchronous_commit === 'off') await client.query('SET synchronous_commit = on');
}
