import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import * as v from 'valibot';
import { StoreOpenError } from '../../store.ts';
import { IN_MEMORY } from './database-file.ts';
import { BUSY_TIMEOUT_MS, type Connection } from './open-connection.ts';

/** In the header of every database of this program (sqlite.org/pragma.html#pragma_application_id): "PETS". */
export const APPLICATION_ID = 0x50455453;

/** What databases of petstore 0.1.0 are recognized by, which wrote no such id. */
const firstTables = ['api_keys', 'idempotency_keys', 'pets'];

const IdRow = v.object({ application_id: v.number() });
const VersionRow = v.object({ user_version: v.number() });
const NameRows = v.array(v.object({ name: v.string() }));

/**
 * Looks at a file before it is opened for use, without writing anything.
 * @throws StoreOpenError when it is a database of another program
 */
export function checkOwner(file: string): void {
  if (file === IN_MEMORY || !existsSync(file)) return;
  const inspection = new DatabaseSync(IN_MEMORY, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Whoever closes a database last moves its log into it, unless it was opened for reading only.
    const mode = existsSync(`${file}-wal`) ? 'ro' : 'rw';
    // DETACH lets go of the file at once, where `close` waits for the statements to be collected.
    inspection.exec(`ATTACH '${toUri(file)}?mode=${mode}' AS found`);
    const isOurs = isOwnDatabase(inspection);
    inspection.exec('DETACH found');
    if (!isOurs) {
      throw new StoreOpenError(
        `${file} is a SQLite database of another program: nothing was changed; give another --database`,
      );
    }
  } finally {
    inspection.close();
  }
}

function toUri(file: string): string {
  return pathToFileURL(file).href.replaceAll("'", "''");
}

/** Ours, or new. */
function isOwnDatabase(inspection: Connection): boolean {
  const id = inspection.prepare('PRAGMA found.application_id').get();
  if (v.parse(IdRow, id).application_id !== 0)
    return v.parse(IdRow, id).application_id === APPLICATION_ID;
  const rows = inspection.prepare('SELECT name FROM found.sqlite_schema').all();
  const names = new Set(v.parse(NameRows, rows).map(({ name }) => name));
  const version = inspection.prepare('PRAGMA found.user_version').get();
  if (v.parse(VersionRow, version).user_version === 0) return names.size === 0;
  return firstTables.every((name) => names.has(name));
}
