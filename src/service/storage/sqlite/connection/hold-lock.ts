import { DatabaseSync } from '@photostructure/sqlite';
import { StoreOpenError } from '../../store.ts';
import { isBusy } from './store-error.ts';

/**
 * Makes this process the only service on a database until `release`, or until it dies: Node has no file locks,
 * but SQLite does, and the system releases them with the process. Held on an empty file next to the database,
 * since a lock on the database itself would shut out the commands that share it with the service.
 * @throws StoreOpenError when another service or copy holds it.
 */
export function holdLock(path: string): { release(): void } {
  const lock = new DatabaseSync(`${path}-lock`);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new StoreOpenError(
      `another petstore serve is using the database ${path}: stop it first, or give this one another --database`,
      { cause: error },
    );
  }
  return { release: () => lock.close() };
}
