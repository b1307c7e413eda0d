import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { StoreOpenError } from '../../store.ts';
import { attachFile } from './attach-file.ts';
import { IN_MEMORY } from './database-file.ts';
import type { Connection } from './open-connection.ts';

/** In the header of every database of this program (sqlite.org/pragma.html#pragma_application_id): "PETS". */
export const APPLICATION_ID = 0x50455453;

/** What databases of petstore 0.1.0 are recognized by, which wrote no such id. */
const firstTables = ['api_keys', 'idempotency_keys', 'pets'];

const IdRow = v.object({ application_id: v.bigint() });
const VersionRow = v.object({ user_version: v.bigint() });
const NameRows = v.array(v.object({ name: v.string() }));

/**
 * Looks at a file before it is opened for use, without writing anything.
 * @throws StoreOpenError when it is a database of another program
 */
export function checkOwner(file: string): void {
  if (file === IN_MEMORY || !existsSync(file)) return;
  const { connection, detach } = attachFile(file);
  try {
    if (isOwnDatabase(connection)) return;
  } finally {
    detach();
  }
  throw new StoreOpenError(
    `${file} is a SQLite database of another program: nothing was changed; give another --database`,
  );
}

/** Ours, or new. */
function isOwnDatabase(inspection: Connection): boolean {
  const row = inspection.prepare('PRAGMA found.application_id').get();
  const { application_id: id } = v.parse(IdRow, row);
  if (id !== 0n) return id === BigInt(APPLICATION_ID);
  const rows = inspection.prepare('SELECT name FROM found.sqlite_schema').all();
  const names = new Set(v.parse(NameRows, rows).map(({ name }) => name));
  const version = inspection.prepare('PRAGMA found.user_version').get();
  if (v.parse(VersionRow, version).user_version === 0n) return names.size === 0;
  return firstTables.every((name) => names.has(name));
}
