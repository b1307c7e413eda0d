import { openStore } from '../../../src/service/storage/databases.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { type RunOptions, runPetstore } from '../../support/run-program.ts';

export const clock = new Date('2026-11-20T12:00:00.000Z');

export async function createDatabase(name = 'petstore.db'): Promise<string> {
  const database = `sqlite:${await makeFolder()}/${name}`;
  const store = await openStore(database);
  await store.close();
  return database;
}

/** A database of its own, and the program on it. */
export async function openDatabase() {
  const database = await createDatabase();
  return {
    database,
    run: (words: string[], options: RunOptions = {}) =>
      runPetstore(words, { clock, ...options, env: { PETSTORE_SERVE_DATABASE: database } }),
  };
}
