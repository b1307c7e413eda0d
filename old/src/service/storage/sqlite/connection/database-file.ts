import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../../../files/system-error.ts';
import { createPrivateFolder } from '../../../../files/write-file-atomically.ts';
import { StoreOpenError, StoreUnavailableError } from '../../store.ts';

/** A database that ends with its connection, and has no file. */
export const IN_MEMORY = ':memory:';

/**
 * The one name under which a database is opened and locked, whatever symbolic links lead to it. Its folder is created if
 * there is none. @throws StoreOpenError when the file has a second name that cannot be told from the first (a hard link).
 */
export function resolveDatabaseFile(given: string): string {
  if (given === IN_MEMORY) return given;
  const target = followLinks(path.resolve(given));
  createPrivateFolder(path.dirname(target));
  const file = path.join(realpathSync(path.dirname(target)), path.basename(target));
  // SQLite names its log after the file: opened under two names, it would have two logs.
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1) {
    throw new StoreOpenError(
      `the database ${file} has a second name (a hard link), under which it could be changed unnoticed: ` +
        `remove that name, or copy the file and use the copy`,
    );
  }
  return file;
}

/** The file itself may be a link to one that does not exist yet. */
function followLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? followLinks(path.resolve(path.dirname(file), readlinkSync(file))) : file;
  }
}

/** Looks at the files of an open database. They are never opened: closing one would drop SQLite's locks on it. */
export interface DatabaseFiles {
  /** @throws StoreUnavailableError when one is no longer the file that was opened: what is written would be lost. */
  checkInPlace(): void;
  /** @throws StoreUnavailableError when the database may not be written. */
  checkWritable(): void;
}

/** Remembers which files a database that was just opened consists of. */
export function watchDatabaseFiles(file: string): DatabaseFiles {
  const opened = [file, `${file}-wal`, `${file}-shm`, `${file}-lock`].map((name) => ({
    name,
    id: identify(name),
  }));
  return {
    checkInPlace() {
      const moved = opened.find(({ name, id }) => id !== undefined && identify(name) !== id);
      if (moved === undefined) return;
      throw new StoreUnavailableError(
        `the database cannot be used: ${moved.name} was moved, deleted or replaced; ` +
          'put it back, or restart the service once the right file is there',
      );
    },
    checkWritable() {
      try {
        accessSync(file, constants.W_OK);
      } catch (cause) {
        throw new StoreUnavailableError('the database cannot be used: it is read-only', { cause });
      }
    },
  };
}

/** The longest step of a file system's clock, and some more, in milliseconds: later changes have another time. */
const CLOCK_STEP_MS = 3_000;

/** What is mounted over a file does not change the time of its folder. */
const LOOK_AGAIN_MS = 1_000;

/**
 * The same look at the files for every batch of writes: whatever moves, deletes or replaces one of them changes the time of
 * their folder, so while that stays as it is a look at the folder is enough, but for a second at most. @throws StoreUnavailableError like `checkInPlace`
 */
export function createPlaceCheck(file: string, { checkInPlace }: DatabaseFiles): () => void {
  const folder = path.dirname(file);
  let checked: string | undefined;
  let checkedAt = 0;
  return () => {
    const { state, changedAt } = lookAtFolder(folder);
    const isRecent = Math.abs(Date.now() - checkedAt) < LOOK_AGAIN_MS;
    if (isRecent && state === checked) return;
    checkInPlace();
    checkedAt = Date.now();
    // A further change within the same step of the clock would not show.
    checked = Date.now() - changedAt > CLOCK_STEP_MS ? state : undefined;
  };
}

/** A folder that is not there, or cannot be seen, may change at any time. */
function lookAtFolder(folder: string): { state: string; changedAt: number } {
  try {
    const { dev, ino, ctimeMs } = statSync(folder);
    return { state: `${dev}:${ino}:${ctimeMs}`, changedAt: ctimeMs };
  } catch {
    return { state: '', changedAt: Number.POSITIVE_INFINITY };
  }
}

/** Device and inode; undefined where there is no such file, or none that can be seen. */
function identify(name: string): string | undefined {
  try {
    const { dev, ino } = statSync(name, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
