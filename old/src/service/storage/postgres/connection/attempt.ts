import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { StoreUnavailableError } from '../../store.ts';

/** How long a server may take to accept a connection, in milliseconds, unless the URL says otherwise. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** How long after the statement timeout a connection without a response counts as lost, in milliseconds. */
const LATE_RESPONSE_MS = 3_000;

/** How long a server may take to close a connection before it is destroyed, in milliseconds: the service must end in time. */
const CLOSE_TIMEOUT_MS = 400;

/** Shorter than the idle timeout of firewalls. */
const KEEP_ALIVE_MS = 30_000;

export interface ConnectedClient {
  readonly client: Client;
  /** Connects anew for the next statement. */
  forget(): void;
  /** How many warnings without a code of their own the server sent so far. */
  countWarnings(): number;
}

export interface Attempt {
  readonly connected: Promise<ConnectedClient>;
  /** Undefined until it is connected. */
  connectedClient: ConnectedClient | undefined;
  abandon(): void;
  close(): Promise<void>;
}

/** Starts to connect a client. `onEnd` is called once it cannot be used any more, or is not to be. */
export function startAttempt(config: ClientConfig, onEnd: () => void): Attempt {
  const socket = new Socket();
  const client = createClient(config, socket);
  let warnings = 0;
  // A commit whose wait for the synchronous replica was canceled is confirmed with nothing but such a warning.
  client.on('notice', ({ code }) => {
    if (code === '01000') warnings += 1;
  });
  function forget(): void {
    onEnd();
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
      onEnd();
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
  } catch (error) {
    throw new StoreUnavailableError('the database cannot be reached', { cause: error });
  }
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
