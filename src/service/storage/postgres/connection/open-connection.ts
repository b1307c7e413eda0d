import { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryConfig } from 'pg';
import * as v from 'valibot';
import { StoreUnavailableError } from '../../store.ts';
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
  /** Runs a statement in one transaction after another one, which takes a lock; all of it is sent at once. */
  queryLocked<Row extends v.GenericSchema>(
    lock: Statement,
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<v.InferOutput<Row>[]>;
  close(): Promise<void>;
}

/** How long a server may take to accept a connection, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** How long after the statement timeout a connection without a response counts as lost, in milliseconds. */
const LATE_RESPONSE_MS = 3_000;

/** How long a server may take to close a connection before it is destroyed, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Shorter than the idle timeout of firewalls. */
const KEEP_ALIVE_MS = 30_000;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

/**
 * Statements are pipelined: each is sent at once, in a transaction of its own, and results come in order. So a longer
 * transaction must be sent as a whole, or statements of others would become part of it.
 */
export function openConnection(config: ClientConfig): Connection {
  const link = createLink(config);

  /** Sends all of it at once and waits for every result. The first failure counts: it causes the others. */
  async function send(queries: readonly QueryConfig[]) {
    const { client, forget } = await link.connect();
    const results = await Promise.allSettled(queries.map((query) => client.query(query)));
    return results.map((result) => {
      if (result.status === 'fulfilled') return result.value;
      if (isConnectionUnusable(result.reason)) forget();
      throw toStoreError(result.reason);
    });
  }

  return {
    async query({ name, text, row }, values) {
      const [result] = await send([{ name, text, values: [...values] }]);
      return v.parse(v.array(row), result?.rows);
    },
    async queryLocked(lock, { name, text, row }, values) {
      const [, , result] = await send([
        { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' },
        { name: lock.name, text: lock.text },
        { name, text, values: [...values] },
        { name: 'commit', text: 'COMMIT' },
      ]);
      return v.parse(v.array(row), result?.rows);
    },
    close: link.close,
  };
}

interface ConnectedClient {
  readonly client: Client;
  forget(): void;
  close(): Promise<void>;
}

/** Keeps one client connected: opened when first needed and again after a loss, with growing delays while that fails. */
function createLink(config: ClientConfig) {
  let current: Promise<ConnectedClient> | undefined;
  let failures = 0;
  let nextAttempt = 0;

  function open(): Promise<ConnectedClient> {
    const socket = new Socket();
    const client = createClient(config, socket);
    function forget(): void {
      if (current === opening) current = undefined;
      client.end().catch(() => {});
    }
    async function close(): Promise<void> {
      const destroying = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      await client.end();
      clearTimeout(destroying);
    }
    const opening = connectClient(client).then(() => ({ client, forget, close }));
    client.on('error', forget);
    client.on('end', forget);
    opening.catch(forget);
    return opening;
  }

  async function connectClient(client: Client): Promise<void> {
    try {
      await client.connect();
      await client.query(keepCommitsDurable);
      failures = 0;
    } catch (error) {
      const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
      // Instances that lost the database together must not all reconnect at the same instant.
      nextAttempt = performance.now() + delay * (0.5 + Math.random() / 2);
      failures += 1;
      throw new StoreUnavailableError('the database cannot be reached', { cause: error });
    }
  }

  return {
    async connect(): Promise<ConnectedClient> {
      if (current === undefined && performance.now() < nextAttempt) {
        throw new StoreUnavailableError('the database cannot be reached; retrying shortly');
      }
      current ??= open();
      return current;
    },
    async close(): Promise<void> {
      const connected = await current?.catch(() => undefined);
      await connected?.close();
    },
  };
}

function createClient(config: ClientConfig, socket: Socket): Client {
  return new Client({
    ...config,
    stream: () => socket,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // A program that is stopped in a transaction must not keep its lock.
    idle_in_transaction_session_timeout: config.statement_timeout || undefined,
    query_timeout: (config.statement_timeout || 0) + LATE_RESPONSE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
}

/** A server may be configured to confirm a commit before it is on the disk; settings stronger than `on` stay. */
const keepCommitsDurable = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off'`;
