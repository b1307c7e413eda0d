import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { StoreUnavailableError } from '../../store.ts';

/** How long a server may take to accept a connection, in milliseconds, unless the URL says otherwise. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** How long a statement waits for a connection, in milliseconds; the attempt goes on after that. */
const CONNECT_PATIENCE_MS = 2_000;

/** How long after the statement timeout a connection without a response counts as lost, in milliseconds. */
const LATE_RESPONSE_MS = 3_000;

/** How long a server may take to close a connection before it is destroyed, in milliseconds: the service must end in time. */
const CLOSE_TIMEOUT_MS = 400;

/** Shorter than the idle timeout of firewalls. */
const KEEP_ALIVE_MS = 30_000;

/** Not longer, or an add would be refused for as long after readiness has returned. */
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 500;

interface ConnectedClient {
  readonly client: Client;
  /** Connects anew for the next statement. */
  forget(): void;
  /** How many warnings without a code of their own the server sent so far. */
  countWarnings(): number;
}

interface Attempt {
  readonly connected: Promise<ConnectedClient>;
  /** Undefined until it is connected. */
  connectedClient: ConnectedClient | undefined;
  abandon(): void;
  close(): Promise<void>;
}

/** Keeps one client connected: opened when first needed and again after a loss, with growing delays while that fails. */
export function createLink(config: ClientConfig, onConnect: () => void = () => {}) {
  let current: Attempt | undefined;
  let failures = 0;
  let nextAttempt = 0;

  function open(): Attempt {
    const socket = new Socket();
    const client = createClient(config, socket);
    let warnings = 0;
    // A commit whose wait for the synchronous replica was canceled is confirmed with nothing but such a warning.
    client.on('notice', ({ code }) => {
      if (code === '01000') warnings += 1;
    });
    function forget(): void {
      if (current === attempt) current = undefined;
      client.end().catch(() => {});
    }
    const attempt: Attempt = {
      connected: connectClient(client).then(() => {
        const connectedClient = { client, forget, countWarnings: () => warnings };
        attempt.connectedClient = connectedClient;
        return connectedClient;
      }),
      connectedClient: undefined,
      abandon() {
        // An attempt to connect has a time limit of its own.
        if (attempt.connectedClient === undefined) return;
        if (current === attempt) current = undefined;
        socket.destroy(new Error('the database does not respond'));
      },
      async close() {
        const destroying = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
        await attempt.connected.catch(() => {});
        await client.end();
        clearTimeout(destroying);
      },
    };
    client.on('error', forget);
    client.on('end', forget);
    attempt.connected.catch(forget);
    return attempt;
  }

  async function connectClient(client: Client): Promise<void> {
    try {
      await client.connect();
      await client.query(keepCommitsDurable);
      failures = 0;
      onConnect();
    } catch (error) {
      const pause = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
      // Instances that lost the database together must not all reconnect at the same instant.
      nextAttempt = performance.now() + pause * (0.5 + Math.random() / 2);
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
      return current.connectedClient ?? (await waitBriefly(current.connected));
    },
    abandon: () => current?.abandon(),
    close: async () => await current?.close(),
  };
}

async function waitBriefly(connected: Promise<ConnectedClient>): Promise<ConnectedClient> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const expiry = delay(CONNECT_PATIENCE_MS, undefined, { signal }).then(() => {
    throw new StoreUnavailableError('the database has not accepted a connection yet');
  });
  return await Promise.race([connected, expiry]).finally(() => waiting.abort());
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
    connectionTimeoutMillis: config.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS,
  });
}

/**
 * A server or role may be set to confirm a commit before it is on the disks of the primary and its synchronous replica.
 * Always set, so that a server that is changed meanwhile changes nothing here; what is stronger than `on` stays.
 */
const keepCommitsDurable = `SELECT set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`;
