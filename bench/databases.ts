import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { cleanEnvironment, program, type Server, startServer, workFolder } from './programs.ts';

export interface Database {
  /** As in PETSTORE_SERVE_DATABASE. */
  readonly url: string;
  /** An API key of it. */
  readonly key: string;
}

/** A database with so many pets, ids from 1 on without a gap. Its original is created once in a run. */
export function copyDatabase(rows: number): Database {
  const original = path.join(workFolder, `${rows}.db`);
  const keyFile = `${original}.key`;
  if (!existsSync(keyFile)) writeFileSync(keyFile, createDatabase(original, rows));
  const file = `${original}.copy`;
  for (const suffix of ['-wal', '-shm', '-lock']) rmSync(file + suffix, { force: true });
  copyFileSync(original, file);
  return { url: `sqlite:${file}`, key: readFileSync(keyFile, 'utf8') };
}

/** The URL in a variable: that of PostgreSQL holds a password. */
export async function startPetstore(url: string): Promise<Server> {
  const variables = { PETSTORE_SERVE_DATABASE: url };
  const server = await startServer('petstore', [program, 'serve', '--port', '0'], { variables });
  return { ...server, url: `${new URL(server.url).origin}/v1` };
}

/** Creates an API key, and with it the tables of a database that has none. */
export function createKey(database: string): string {
  const env = cleanEnvironment({ PETSTORE_SERVE_DATABASE: database });
  const words = [program, 'keys', 'create', '--name', 'bench'];
  return execFileSync(process.execPath, words, { env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** The program creates its tables and a key; the rows are written past it, for speed. */
function createDatabase(file: string, rows: number): string {
  const key = createKey(`sqlite:${file}`);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  for (let first = 1; first <= rows; first += 1_000_000)
    database.exec(fillRows(first, Math.min(rows, first + 999_999)));
  database.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return key;
}

/** Half of the pets available, a quarter each pending and sold. */
function fillRows(first: number, last: number): string {
  return `INSERT INTO pets (name, category_id, status, added_by, added_at)
    WITH RECURSIVE ids (id) AS (VALUES (${first}) UNION ALL SELECT id + 1 FROM ids WHERE id < ${last})
    SELECT 'Rex ' || id, id % 50 + 1,
      CASE id % 4 WHEN 1 THEN 'pending' WHEN 3 THEN 'sold' ELSE 'available' END, 1, 0 FROM ids`;
}
