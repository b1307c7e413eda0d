import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { issueKey } from '../src/service/keys/issue-key.ts';
import { openSharedSqliteStore } from '../src/service/storage/sqlite/open-sqlite-store.ts';
import { workFolder } from './work-folder.ts';

export interface Database {
  /** For `--database`. */
  readonly url: string;
  readonly file: string;
  /** An API key of it. */
  readonly key: string;
}

/** Rows of one transaction. */
const CHUNK = 1_000_000;

/** A database with so many pets, ids from 1 on without a gap. Created once, as ten million take a while. */
export async function openDatabase(rows: number): Promise<Database> {
  const file = path.join(workFolder, `pets-${rows}.db`);
  const keyFile = `${file}.key`;
  if (!existsSync(keyFile)) {
    await makeDatabase(`${file}.new`, rows, keyFile);
    renameSync(`${file}.new`, file);
  }
  return { url: `sqlite:${file}`, file, key: readFileSync(keyFile, 'utf8') };
}

/** A copy that may be written to. */
export function copyDatabase(database: Database, name: string): Database {
  const file = path.join(workFolder, `${name}.db`);
  for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(file + suffix, { force: true });
  copyFileSync(database.file, file);
  return { url: `sqlite:${file}`, file, key: database.key };
}

async function makeDatabase(file: string, rows: number, keyFile: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const store = await openSharedSqliteStore(file);
  const { key } = await issueKey(store, { name: 'bench', createdAt: new Date() });
  await store.close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  for (let first = 1; first <= rows; first += CHUNK) {
    database.exec(fillRows(first, Math.min(rows, first + CHUNK - 1)));
  }
  database.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  writeFileSync(keyFile, key);
}

/** Half of the pets available, a quarter each pending and sold. */
function fillRows(first: number, last: number): string {
  return `INSERT INTO pets (name, category_id, status)
    WITH RECURSIVE ids (id) AS (VALUES (${first}) UNION ALL SELECT id + 1 FROM ids WHERE id < ${last})
    SELECT 'Rex ' || id, id % 50 + 1,
      CASE id % 4 WHEN 1 THEN 'pending' WHEN 3 THEN 'sold' ELSE 'available' END FROM ids`;
}
