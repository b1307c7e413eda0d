import { dirname } from 'node:path';
import { backup } from '@photostructure/sqlite';
import { createFileWhole } from '../../../files/create-file-whole.ts';
import { isMissing, isSystemError } from '../../../files/system-error.ts';
import { StoreOpenError, type StoreSummary } from '../store.ts';
import { checkAttached, findSqliteDatabase } from './check-database.ts';
import { attachFile } from './connection/attach-file.ts';
import { explainOpening, findReason } from './connection/store-error.ts';

/** All pages in one step: a copy in several starts again whenever the database is written between two of them. */
const ALL_PAGES = -1;

/**
 * Copies the database at a path, which may be in use, as it is at one moment into a new file, and reads that as a whole
 * before it gets its name. @throws StoreOpenError, and the signal's reason
 */
export async function backUpSqliteDatabase(
  path: string,
  target: string,
  signal: AbortSignal,
): Promise<StoreSummary> {
  const source = await explainOpening(path, async () => findSqliteDatabase(path));
  try {
    return await createFileWhole(target, async (draft) => {
      await copyPages(source, draft);
      signal.throwIfAborted();
      return checkCopy(draft, source);
    });
  } catch (error) {
    throw explainWriting(target, error);
  }
}

async function copyPages(source: string, draft: string): Promise<void> {
  const { connection, detach } = attachFile(source);
  try {
    await backup(connection, draft, { source: 'found', rate: ALL_PAGES });
  } finally {
    detach();
  }
}

/** A page that is damaged in the copy is damaged in the source. */
function checkCopy(draft: string, source: string): StoreSummary {
  const { connection, detach } = attachFile(draft);
  try {
    // No longer in WAL mode, in which even a look at it would leave files beside it.
    connection.exec('PRAGMA found.journal_mode = DELETE');
    return checkAttached(connection, source);
  } finally {
    detach();
  }
}

function explainWriting(target: string, cause: unknown): unknown {
  if (isSystemError(cause, 'EEXIST'))
    return new StoreOpenError(`${target} exists already: a backup never replaces a file`, {
      cause,
    });
  if (isMissing(cause))
    return new StoreOpenError(`there is no folder ${dirname(target)}`, { cause });
  const reason = findReason(cause);
  if (reason === undefined) return cause;
  return new StoreOpenError(`the backup ${target} cannot be written: ${reason}`, { cause });
}
