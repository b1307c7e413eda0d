import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { IN_MEMORY } from './database-file.ts';
import { BUSY_TIMEOUT_MS, type Connection } from './open-connection.ts';

export interface AttachedFile {
  /** On it the file is the schema `found`. */
  readonly connection: Connection;
  /** Lets go of the file at once, where closing a connection waits for its statements to be collected. */
  detach(): void;
}

/** Opens a database file that exists for a look at it, whoever may be using it. Nothing is written unless a statement does. */
export function attachFile(file: string): AttachedFile {
  const connection = new DatabaseSync(IN_MEMORY, { timeout: BUSY_TIMEOUT_MS, readBigInts: true });
  try {
    // Whoever closes a database last moves its log into it, unless it was opened for reading only.
    const mode = existsSync(`${file}-wal`) ? 'ro' : 'rw';
    connection.exec(`ATTACH '${toUri(file)}?mode=${mode}' AS found`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    connection,
    detach() {
      connection.exec('DETACH found');
      connection.close();
    },
  };
}

function toUri(file: string): string {
  return pathToFileURL(file).href.replaceAll("'", "''");
}
