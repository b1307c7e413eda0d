import type { CopyEndpoint, CopyRole } from './copy/copy-endpoint.ts';
import type { DatabaseEngine, OpenStoreOptions } from './database-engine.ts';
import { postgresEngine } from './postgres/postgres-engine.ts';
import { sqliteEngine } from './sqlite/sqlite-engine.ts';
import { type Store, StoreOpenError, type StoreSummary } from './store.ts';

/** Every database that a store can be in. A new one is a folder with its engine, and a line here. */
const databases = [sqliteEngine, postgresEngine] satisfies readonly DatabaseEngine[];

/** Opens the store that a database URL names. @throws StoreOpenError */
export async function openStore(
  url: string,
  options: OpenStoreOptions = { isShared: false },
): Promise<Store> {
  return await findEngine(url, '--database').openStore(url, options);
}

/** Whether opening the store that a database URL names would find one. @throws StoreOpenError */
export async function hasStore(url: string): Promise<boolean> {
  return await findEngine(url, '--database').hasStore(url);
}

/** Opens one side of a copy, which no service may be running on. @throws StoreOpenError */
export async function openCopyEndpoint(url: string, role: CopyRole): Promise<CopyEndpoint> {
  return await findEngine(url, `the ${role} of a copy`).openCopyEndpoint(url, role);
}

/** Reads all of a store, which may be in use, and changes nothing. @throws StoreOpenError when it is not whole. */
export async function checkStore(url: string): Promise<StoreSummary> {
  return await findEngine(url, '--database').checkStore(url);
}

/** Copies a store, which may be in use, into a new file. @throws StoreOpenError, and the signal's reason */
export async function backUpStore(url: string, file: string, signal: AbortSignal) {
  return await findEngine(url, '--database').backUpStore(url, file, signal);
}

function findEngine(url: string, what: string): DatabaseEngine {
  const engine = databases.find(({ matches }) => matches(url));
  if (engine !== undefined) return engine;
  const forms = databases.map(({ urlForm }) => urlForm).join(' or ');
  throw new StoreOpenError(`${what} must be ${forms}, not ${describeUrl(url)}`);
}

/** The part before the colon is enough to see the mistake; the rest may hold a password. */
function describeUrl(url: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  return scheme === undefined ? JSON.stringify(url) : `a URL of ${scheme}`;
}
