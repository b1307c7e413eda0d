import * as v from 'valibot';
import { UserError } from '../../errors.ts';
import type { Database } from './database-url.ts';
import { toUserError as explainTarget } from './postgres/errors.ts';
import { Bigint, type Connections, openConnections } from './postgres/pool.ts';
import { migrate } from './postgres/schema.ts';
import { type Connection, toUserError as explainSource } from './sqlite/connection.ts';
import { openDatabase } from './sqlite/open-database.ts';

/** In the order of copying: API keys last, so that nobody can use a store that is not complete. */
const tables = ['pets', 'idempotency_keys', 'api_keys'] as const;
type TableName = (typeof tables)[number];

/** Rows as JSON objects, which PostgreSQL reads by the names of its columns; `place` is what a table is read in order of. */
const selections = {
  pets: `SELECT id AS place, json_object('id', id, 'name', name, 'category_id', category_id,
    'status', status, 'added_by', added_by, 'added_at', added_at) AS json FROM pets`,
  idempotency_keys: `SELECT key AS place, json_object('key', key, 'pet_id', pet_id,
    'created_at', created_at) AS json FROM idempotency_keys`,
  api_keys: `SELECT id AS place, json_object('id', id, 'hash', '\\x' || hex(hash), 'name', name,
    'access', access, 'created_at', created_at, 'last_used_at', last_used_at,
    'expires_at', expires_at, 'revoked_at', revoked_at) AS json FROM api_keys`,
} as const;

/** Rows read and written at once, so that memory does not grow with the store. */
const BATCH_SIZE = 1_000;

const Rows = v.array(v.object({ place: v.union([v.bigint(), v.string()]), json: v.string() }));

/** How many rows of each table there are, and the highest id of a pet. */
export type Figures = Readonly<Record<TableName | 'last_pet', bigint>>;

/** The same in both databases. */
const selectFigures = `SELECT (SELECT count(*) FROM pets) AS pets,
  (SELECT count(*) FROM idempotency_keys) AS idempotency_keys,
  (SELECT count(*) FROM api_keys) AS api_keys,
  (SELECT coalesce(max(id), 0) FROM pets) AS last_pet`;

function figuresOf<Figure extends v.GenericSchema<unknown, bigint>>(figure: Figure) {
  return v.object({ pets: figure, idempotency_keys: figure, api_keys: figure, last_pet: figure });
}

export interface CopyOptions {
  /** Stops the copy between two batches. */
  readonly signal: AbortSignal;
  readonly onProgress: (table: TableName, done: number, total: bigint) => void;
}

/**
 * Copies everything in a SQLite store into an empty PostgreSQL database: pets, idempotency keys and API keys, with their
 * ids. No service may run on either. @throws UserError `cli_usage`, `cli_database`, and the signal's reason
 */
export async function copyStore(from: Database, to: Database, options: CopyOptions) {
  if (from.kind !== 'sqlite' || to.kind !== 'postgres') {
    const message = 'A copy goes from sqlite:<path> to postgres://…, not elsewhere.';
    throw new UserError('cli_usage', message);
  }
  const source = openDatabase(from, { isExclusive: true, mustExist: true });
  const target = openConnections(to.url);
  try {
    await migrate(target, to.shown);
    return await copyTables(source.connection, target, options);
  } catch (error) {
    const explained = explainSource(error, `The database ${from.shown} cannot be used`, from.file);
    throw explainTarget(explained, to.shown);
  } finally {
    await target.close();
    source.close();
  }
}

async function copyTables(
  source: Connection,
  target: Connections,
  { signal, onProgress }: CopyOptions,
): Promise<Figures> {
  const [expected, before] = [countRows(source), await countCopied(target)];
  if (tables.some((table) => before[table] > 0n)) {
    throw refuseCopy('The target is not empty: copy into an empty database.');
  }
  for (const table of tables) {
    let done = 0;
    for (const rows of readBatches(source, table)) {
      await target.query(insertInto(table), [`[${rows.join()}]`]);
      done += rows.length;
      onProgress(table, done, expected[table]);
      signal.throwIfAborted();
    }
  }
  const copied = await countCopied(target);
  if (isSame(copied, expected)) return copied;
  throw refuseCopy(
    'The copy differs from its source: stop every service that uses it, and copy into another empty database.',
  );
}

function* readBatches(source: Connection, table: TableName): Generator<string[]> {
  const select = source.prepare(
    `${selections[table]} WHERE place > ? ORDER BY place LIMIT ${BATCH_SIZE}`,
  );
  let after: bigint | string | undefined = table === 'idempotency_keys' ? '' : 0n;
  while (after !== undefined) {
    const rows: v.InferOutput<typeof Rows> = v.parse(Rows, select.all(after));
    if (rows.length > 0) yield rows.map(({ json }) => json);
    after = rows.at(-1)?.place;
  }
}

function insertInto(table: TableName) {
  const text = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`;
  return { name: `copy_${table}`, text, row: v.object({}) };
}

function countRows(source: Connection): Figures {
  return v.parse(figuresOf(v.bigint()), source.prepare(selectFigures).get());
}

async function countCopied({ query }: Connections): Promise<Figures> {
  const rows = await query({ name: 'figures', text: selectFigures, row: figuresOf(Bigint) }, []);
  return v.parse(v.tuple([figuresOf(v.bigint())]), rows)[0];
}

function isSame(copied: Figures, expected: Figures): boolean {
  return (
    copied.last_pet === expected.last_pet &&
    tables.every((table) => copied[table] === expected[table])
  );
}

function refuseCopy(message: string): UserError {
  return new UserError('cli_database', message);
}
