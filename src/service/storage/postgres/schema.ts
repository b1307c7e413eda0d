import * as v from 'valibot';
import { UserError } from '../../../errors.ts';
import { refuseMissing, refuseNewer } from '../database-url.ts';
import { toUserError } from './errors.ts';
import type { Connections, Send } from './pool.ts';

/**
 * Each takes the schema one version further, counted in `petstore_schema`. Released ones are never edited.
 * Times are milliseconds since the epoch. Ids are not from a sequence: they become visible in their order, see `pets.ts`.
 */
const migrations: readonly string[] = [
  `CREATE TABLE pets (
     id bigint PRIMARY KEY,
     name text NOT NULL,
     category_id bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
     added_by bigint NOT NULL,
     added_at bigint NOT NULL
   );
   CREATE INDEX pets_by_status ON pets (status, id);
   CREATE TABLE idempotency_keys (
     key text PRIMARY KEY,
     pet_id bigint NOT NULL,
     created_at bigint NOT NULL
   );
   CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
   CREATE TABLE api_keys (
     id bigint PRIMARY KEY,
     hash bytea NOT NULL UNIQUE,
     name text NOT NULL,
     access text NOT NULL CHECK (access IN ('read', 'write')),
     created_at bigint NOT NULL,
     last_used_at bigint,
     expires_at bigint,
     revoked_at bigint
   );
   CREATE TABLE write_checks (id integer PRIMARY KEY CHECK (id = 1), checked_at bigint NOT NULL)`,
];
const NEWEST = migrations.length;

/** Any number that no other program takes for its advisory locks: "PETS", and which lock. */
export const locks = { adds: 0x50455453, keys: 0x50455454, migration: 0x50455455 } as const;

const Versions = v.array(v.object({ version: v.number() }));
/** SQL_ASCII keeps bytes as they are. */
const Encodings = v.tuple([v.object({ server_encoding: v.picklist(['UTF8', 'SQL_ASCII']) })]);
const Found = v.tuple([v.object({ isFound: v.boolean() })]);

/**
 * Brings the schema to the version of this program; `isNew` where there was none. Several programs take turns, before they
 * look: PostgreSQL remembers that a table was missing. @throws UserError `cli_database`
 */
export async function migrate(
  { transact }: Connections,
  shown: string,
  mustExist = false,
): Promise<{ isNew: boolean }> {
  try {
    return await transact(async (send) => {
      await requireUnicode(send, shown);
      const version = await readVersion(send);
      if (version === 0 && mustExist) throw refuseMissing(shown);
      if (version > NEWEST) throw refuseNewer(shown);
      if (version < NEWEST) await requireCreate(send, shown);
      if (version < NEWEST) await takeSteps(send, version);
      return { isNew: version === 0 };
    }, `SELECT pg_advisory_xact_lock(${locks.migration})`);
  } catch (error) {
    throw toUserError(error, shown);
  }
}

/** In another encoding most names could not be stored. */
async function requireUnicode(send: Send, shown: string): Promise<void> {
  if (v.is(Encodings, await send('SHOW server_encoding'))) return;
  throw new UserError('cli_database', `${shown} cannot hold every name.`, {
    details: ["create the database with ENCODING 'UTF8'"],
  });
}

/** 0 before our tables are created. */
async function readVersion(send: Send): Promise<number> {
  const found = await send(`SELECT to_regclass('petstore_schema') IS NOT NULL AS "isFound"`);
  if (!v.parse(Found, found)[0].isFound) return 0;
  return v.parse(Versions, await send('SELECT version FROM petstore_schema'))[0]?.version ?? 0;
}

const Grants = v.tuple([v.object({ line: v.string(), isAllowed: v.boolean() })]);
const selectGrant = `SELECT has_schema_privilege(name, 'CREATE') AS "isAllowed",
  format('GRANT USAGE, CREATE ON SCHEMA %I TO %I;', name, current_user) AS line
  FROM coalesce(current_schema(), 'public') AS name`;

/** Before tables are created. @throws UserError with what the owner of the database has to type */
async function requireCreate(send: Send, shown: string): Promise<void> {
  const [{ line, isAllowed }] = v.parse(Grants, await send(selectGrant));
  if (isAllowed) return;
  throw new UserError('cli_database', `This user may not create tables in ${shown}.`, {
    details: [`as the owner of the database, in psql: ${line}`],
  });
}

async function takeSteps(send: Send, version: number): Promise<void> {
  if (version === 0) await send('CREATE TABLE petstore_schema (version integer NOT NULL)');
  for (const sql of migrations.slice(version)) await send(sql);
  await send('DELETE FROM petstore_schema');
  await send({ text: 'INSERT INTO petstore_schema (version) VALUES ($1)', values: [NEWEST] });
}
