import { Client, type ClientConfig, Pool, type PoolClient, type QueryConfig } from 'pg';
import * as v from 'valibot';
import { serviceLimits } from '../../limits.ts';
import { unavailable } from '../../service-error.ts';
import { toStoreError } from './errors.ts';

/** The driver hands a bigint over as text, which keeps every digit. */
export const Bigint = v.pipe(v.string(), v.toBigint());

/** A time, stored in milliseconds since the epoch: as a bigint no DateStyle and no time zone can change it. */
export const Time = v.pipe(
  v.string(),
  v.transform((milliseconds) => new Date(Number(milliseconds))),
);
export const OptionalTime = v.pipe(
  v.nullable(Time),
  v.transform((time) => time ?? undefined),
);

/** A statement: its name where the server keeps it prepared, its text, and the shape of a row it returns. */
export interface Statement<Row extends v.GenericSchema> {
  readonly name?: string;
  readonly text: string;
  readonly row: Row;
}

/** Sends a statement on the connection of a transaction and returns its rows. */
export type Send = (query: string | QueryConfig) => Promise<unknown[]>;

/** Connections that are opened when needed, and again after a failure. Errors are those of the store's port. */
export interface Connections {
  query<Row extends v.GenericSchema>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<v.InferOutput<Row>[]>;
  /** Runs `work` between BEGIN and COMMIT. @param begin more statements to send with BEGIN */
  transact<Result>(work: (send: Send) => Promise<Result>, begin?: string): Promise<Result>;
  /** How many connections failed. */
  countLosses(): number;
  close(): Promise<void>;
}

/** The driver leaves a connection open over which it could not sign in, and the program with it, until the server gives up. */
class ClosingClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.connection.once('error', () => this.connection.stream.destroy());
  }
}

/** @param url what the driver's own parser takes */
export function openConnections(url: string): Connections {
  const pool = new Pool({
    Client: ClosingClient,
    // The driver takes these two for verify-full, and warns of it on stderr in words of its own.
    connectionString: url.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full'),
    connectionTimeoutMillis: 5_000,
    // A server that falls silent is not noticed by its own statement timeout.
    query_timeout: 6_000,
    // Nor does the server notice that nobody waits any more: its connections would be used up behind a lock.
    onConnect: (client) => client.query('SET statement_timeout = 10000'),
    keepAlive: true,
    // An idle one stays open, so that its loss is noticed: see `countLosses`.
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  let losses = 0;
  const noteLoss = () => {
    losses += 1;
  };
  // Of connections that broke while nobody used them; the pool has dropped them.
  pool.on('error', noteLoss);
  // Of one that breaks between two statements: the next statement fails.
  pool.on('connect', (client) => client.on('error', noteLoss));

  async function connect(): Promise<PoolClient> {
    if (pool.waitingCount >= serviceLimits.waitingReads) {
      throw unavailable('too many requests are waiting for the database: try again');
    }
    try {
      return await pool.connect();
    } catch (error) {
      throw toStoreError(error, false);
    }
  }

  /** A client on which something failed is closed, which also rolls back: nobody knows what state it is in. */
  async function withClient<Result>(work: (client: PoolClient) => Promise<Result>) {
    const client = await connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      noteLoss();
      throw error;
    }
  }

  return {
    async query({ name, text, row }, values) {
      const query = { name, text, values: [...values] };
      return v.parse(v.array(row), await withClient((client) => send(client, query)));
    },

    transact: (work, begin = '') =>
      withClient(async (client) => {
        // Read committed, whatever the default: a statement must see what was committed before a lock was taken.
        await send(client, `BEGIN ISOLATION LEVEL READ COMMITTED; ${begin}`);
        const result = await work((query) => send(client, query));
        await send(client, 'COMMIT');
        return result;
      }),

    countLosses: () => losses,
    close: () => pool.end(),
  };
}

async function send(client: PoolClient, query: string | QueryConfig): Promise<unknown[]> {
  try {
    return (await client.query(query)).rows;
  } catch (error) {
    throw toStoreError(error, query === 'COMMIT');
  }
}
