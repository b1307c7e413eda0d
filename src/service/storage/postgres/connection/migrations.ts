import { Client, type ClientConfig, DatabaseError } from 'pg';
import * as v from 'valibot';
import { StoreOpenError } from '../../store.ts';
import { checkSessions } from './check-sessions.ts';
import { CONNECT_TIMEOUT_MS } from './link.ts';
import { explainRights } from './rights.ts';

/**
 * Each step takes the schema one version further. Released steps are never edited and nothing is ever dropped.
 * Ids come from `id_counters`, see the pet writer.
 */
const steps: readonly string[] = [
  `CREATE TABLE id_counters (name text PRIMARY KEY, last_id bigint NOT NULL);
   INSERT INTO id_counters (name, last_id) VALUES ('pets', 0), ('api_keys', 0);
   CREATE TABLE pets (
     id bigint PRIMARY KEY,
     name text NOT NULL,
     category_id bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
   );
   CREATE INDEX pets_by_status ON pets (status, id);
   CREATE TABLE idempotency_keys (
     key text PRIMARY KEY,
     pet_id bigint NOT NULL,
     created_at timestamptz NOT NULL
   );
   CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
   CREATE TABLE api_keys (
     id bigint PRIMARY KEY,
     hash bytea NOT NULL UNIQUE,
     name text NOT NULL,
     created_at timestamptz NOT NULL,
     last_used_at timestamptz,
     expires_at timestamptz,
     revoked_at timestamptz
   )`,
  // Null for pets whose key or time was not recorded. Columns without an index: they cost an add next to nothing.
  `ALTER TABLE pets ADD COLUMN added_by bigint;
   ALTER TABLE pets ADD COLUMN added_at timestamptz;
   ALTER TABLE api_keys ADD COLUMN access text NOT NULL DEFAULT 'write' CHECK (access IN ('read', 'write'))`,
];

/** Errors of two programs that create the same table at the same time: the second finds it when it retries. */
const raceCodes = ['23505', '42P07', '42710', '40001', '40P01', 'XX000'];
const ATTEMPTS = 10;

const NEWEST = steps.length;

/**
 * Brings the schema to the version of this program. Any number of programs may do so at once: they take turns at the
 * row with the version, and all but the first have nothing left to do. One who may not create tables can use those that
 * are there.
 * @throws StoreOpenError when the database cannot be used, or was written by a newer program.
 */
export async function migrate(config: ClientConfig): Promise<void> {
  await withClient(config, async (client) => {
    await checkEncoding(client);
    await checkSessions(client, (work) =>
      withClient({ ...config, query_timeout: CONNECT_TIMEOUT_MS }, work),
    );
    const version = await explainRights(client, undefined, () => readVersion(client));
    if (version !== NEWEST)
      await explainRights(client, version, () => takeSteps(client, version, ATTEMPTS));
  });
}

const VersionRow = v.object({ version: v.number() });
const selectVersion = "SELECT version FROM petstore_schema WHERE name = 'version'";

/** 0 when there is no schema. @throws StoreOpenError when a newer program wrote it. */
async function readVersion(client: Client): Promise<number> {
  const present = await client.query(PRESENCE);
  if (!v.parse(v.tuple([PresenceRow]), present.rows)[0].isPresent) return 0;
  const { rows } = await client.query(selectVersion);
  const version = v.parse(v.array(VersionRow), rows)[0]?.version ?? 0;
  if (version <= NEWEST) return version;
  throw new StoreOpenError(
    `the database has schema version ${version}, this program knows only ${NEWEST}: run a newer petstore`,
  );
}

const PRESENCE = `SELECT to_regclass('petstore_schema') IS NOT NULL AS "isPresent"`;
const PresenceRow = v.object({ isPresent: v.boolean() });

/** Whether there is a schema of any version. */
export async function hasSchema(config: ClientConfig): Promise<boolean> {
  return await withClient(config, async (client) => {
    const [row] = v.parse(v.tuple([PresenceRow]), (await client.query(PRESENCE)).rows);
    return row.isPresent;
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
    for (const step of steps.slice(await readVersion(client))) await client.query(step);
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
