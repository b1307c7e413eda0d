import path from 'node:path';
import { findFolder } from '../../src/config/paths.ts';
import { parseDatabaseUrl } from '../../src/service/storage/database-url.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { describeHome } from './system.ts';

/** What a command leaves beside its stdout when it succeeds and nobody watches. */
export const quietRun = { stderr: '', exitCode: 0, signal: null };

/** The database that the program uses by default in a home folder, opened as by a second program: close it. */
export async function openDatabase(
  home: string,
): Promise<{ store: Store; close(): Promise<void> }> {
  const file = path.join(findFolder(describeHome(home), 'data') ?? '', 'petstore.db');
  const store = await openStore(parseDatabaseUrl(`sqlite:${file}`), { isExclusive: false });
  return { store, close: () => store.close() };
}
