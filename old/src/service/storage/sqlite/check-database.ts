import { statSync } from 'node:fs';
import * as v from 'valibot';
import { reportDamage, StoreOpenError, type StoreSummary } from '../store.ts';
import { attachFile } from './connection/attach-file.ts';
import { checkOwner } from './connection/check-owner.ts';
import { resolveDatabaseFile } from './connection/database-file.ts';
import { findMissingPart } from './connection/migrations.ts';
import type { Connection } from './connection/open-connection.ts';
import { explainOpening } from './connection/store-error.ts';

const Problems = v.array(v.object({ integrity_check: v.string() }));
const Count = v.object({ count: v.pipe(v.bigint(), v.transform(Number)) });

/** Reads the whole database at a path, which may be in use. @throws StoreOpenError when it is missing or damaged */
export async function checkSqliteDatabase(path: string): Promise<StoreSummary> {
  return await explainOpening(path, async () => {
    const file = findSqliteDatabase(path);
    const { connection, detach } = attachFile(file);
    try {
      return checkAttached(connection, file);
    } finally {
      detach();
    }
  });
}

/** The real path of a store that must be there. @throws StoreOpenError */
export function findSqliteDatabase(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // An empty file is what is left of a database that was never written.
  if (size === 0) throw new StoreOpenError(`there is no database at ${path}`);
  const file = resolveDatabaseFile(path);
  checkOwner(file);
  return file;
}

/** @throws StoreOpenError that says what is damaged first */
export function checkAttached(connection: Connection, file: string): StoreSummary {
  const count = (query: string) =>
    v.parse(Count, connection.prepare(`SELECT count(*) AS count FROM ${query}`).get()).count;
  // In one transaction, so that all of it is about one moment.
  connection.exec('BEGIN');
  try {
    const rows = connection.prepare('PRAGMA found.integrity_check(1)').all();
    const [problem = ''] = v.parse(Problems, rows).map((row) => row.integrity_check);
    if (problem !== 'ok') throw reportDamage(file, problem);
    const missing = findMissingPart(connection);
    if (missing !== undefined) throw reportDamage(file, missing);
    if (count("pragma_foreign_key_check(NULL, 'found')") > 0)
      throw reportDamage(file, 'an idempotency key refers to a pet that is missing');
    return { pets: count('found.pets'), apiKeys: count('found.api_keys') };
  } finally {
    connection.exec('ROLLBACK');
  }
}
