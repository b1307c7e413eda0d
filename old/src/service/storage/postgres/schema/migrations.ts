import { Client, type ClientConfig, DatabaseError } from 'pg';
import * as v from 'valibot';
import { StoreDamagedError, StoreOpenError } from '../../store.ts';
import { CONNECT_TIMEOUT_MS } from '../connection/attempt.ts';
import { checkSessions } from '../connection/check-sessions.ts';
import { describeMissing } from '../connection/store-error.ts';
import { findMissingColumn, findMissingPart } from './missing-parts.ts';
import { explainRights } from './rights.ts';
import { listParts, NEWEST, steps } from './steps.ts';
import { isPresent, readVersion, selectVersion } from './version.ts';

/** Errors of two programs that create the same table at the same time: the second finds it when it retries. */
const raceCodes = ['23505', '42P07', '42710', '40001', '40P01', 'XX000'];
const ATTEMPTS = 10;

/**
 * Brings the schema to the version of this program. Any number of programs may do so at once: they take turns at the
 * row with the version, and all but the first have nothing left to do. One who may not create tables can use those that
 * are there.
 * @throws StoreOpenError when the database cannot be used, or was written by a newer program; StoreDamagedError when one
 * of its tables or columns, or its version, is missing.
 */
export async function migrate(config: ClientConfig): Promise<void> {
  await withClient(config, async (client) => {
    await checkEncoding(client);
    await checkSessions(client, (work) =>
      withClient({ ...config, query_timeout: CONNECT_TIMEOUT_MS }, work),
    );
    const version = await explainRights(client, undefined, () => readOwnVersion(client));
    if (version !== NEWEST)
      await explainRights(client, version, () => takeSteps(client, version, ATTEMPTS));
    const missing = await findMissingColumn(client, listParts(NEWEST));
    if (missing !== undefined) throw new StoreDamagedError(describeMissing(missing));
  });
}

/** @throws StoreOpenError when a newer program wrote it; StoreDamagedError when it is lost. */
async function readOwnVersion(client: Client): Promise<number> {
  const version = await readVersion(client);
  if (version === undefined) throw new StoreDamagedError(describeMissing('schema version'));
  if (version <= NEWEST) return version;
  throw new StoreOpenError(
    `the database has schema version ${version}, this program knows only ${NEWEST}: run a newer petstore`,
  );
}

/** Whether there is a schema of any version, or what is left of one. */
export async function hasSchema(config: ClientConfig): Promise<boolean> {
  return await withClient(config, isPresent);
}

/** What is missing of a schema of any version, in words. @throws StoreOpenError when no petstore wrote its version */
export async function findSchemaDamage(config: ClientConfig): Promise<string | undefined> {
  return await withClient(config, async (client) => {
    const version = (await readVersion(client)) ?? 0;
    const missing = await findMissingPart(client, listParts(version));
    return missing ?? (version === 0 ? 'schema version' : undefined);
  });
}

async function withClient<Result>(
  config: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  // Without the statement timeout of the service: a step may take long on a large table.
  const client = new Client({
    ...config,
    statement_timeout: false,
    connectionTimeoutMillis: config.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

async function takeSteps(client: Client, seen: number, attempts: number): Promise<void> {
  await client.query('BEGIN');
  try {
    // Whoever may change the tables need not be allowed to create one.
    if (seen === 0) {
      await client.query(
        'CREATE TABLE IF NOT EXISTS petstore_schema (name text PRIMARY KEY, version integer NOT NULL)',
      );
      await client.query(
        "INSERT INTO petstore_schema (name, version) VALUES ('version', 0) ON CONFLICT (name) DO NOTHING",
      );
    }
    await client.query(`${selectVersion} FOR UPDATE`);
    for (const { sql } of steps.slice(await readOwnVersion(client))) await client.query(sql);
    await client.query(`UPDATE petstore_schema SET version = ${NEWEST} WHERE name = 'version'`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const isRace = error instanceof DatabaseError && raceCodes.includes(error.code ?? '');
    if (!isRace || attempts === 1) throw error;
    await takeSteps(client, seen, attempts - 1);
  }
}

const EncodingRow = v.object({ server_encoding: v.string() });

/** A name may hold any character, and other encodings lack most of them. */
async function checkEncoding(client: Client): Promise<void> {
  const { rows } = await client.query('SHOW server_encoding');
  const [{ server_encoding: encoding }] = v.parse(v.tuple([EncodingRow]), rows);
  if (!/^utf-?8$/i.test(encoding)) {
    throw new StoreOpenError(
      `the database stores text as ${encoding}: create one with ENCODING 'UTF8'`,
    );
  }
}
