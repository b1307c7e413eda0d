import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Build, cleanEnvironment, type Server, startServer, workFolder } from './programs.ts';

export interface Database {
  /** For `--database`. */
  readonly url: string;
  readonly file: string;
  /** An API key of it. */
  readonly key: string;
}

/** A database of one build with so many pets, ids from 1 on without a gap. Created once, as ten million take a while. */
export function openDatabase(build: Build, rows: number): Database {
  const file = path.join(workFolder, `${build.name}-${rows}.db`);
  const keyFile = `${file}.key`;
  if (!existsSync(file)) createDatabase(build, file, rows, keyFile);
  return { url: `sqlite:${file}`, file, key: readFileSync(keyFile, 'utf8') };
}

/** A copy that may be written to. */
export function copyDatabase(database: Database): Database {
  const file = `${database.file}.copy`;
  for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(file + suffix, { force: true });
  copyFileSync(database.file, file);
  return { url: `sqlite:${file}`, file, key: database.key };
}

export async function startPetstore(build: Build, { url }: Database): Promise<Server> {
  const words = [build.program, 'serve', '--port', '0', '--database', url];
  const server = await startServer(build.name, words);
  return { ...server, url: `${new URL(server.url).origin}/v1` };
}

/** The build creates its own tables and key; the rows are written past it, for speed. */
function createDatabase({ program }: Build, file: string, rows: number, keyFile: string): void {
  const created = `${file}.new`;
  rmSync(created, { force: true });
  const words = [program, 'keys', 'create', '--name', 'bench', '--database', `sqlite:${created}`];
  const key = execFileSync(process.execPath, words, { env: cleanEnvironment(), encoding: 'utf8' });
  const database = new DatabaseSync(created);
  database.exec('PRAGMA synchronous = OFF');
  for (let first = 1; first <= rows; first += 1_000_000)
    database.exec(fillRows(first, Math.min(rows, first + 999_999)));
  database.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  writeFileSync(keyFile, key.trim());
  renameSync(created, file);
}

/** Half of the pets available, a quarter each pending and sold. */
function fillRows(first: number, last: number): string {
  return `INSERT INTO pets (name, category_id, status, added_by, added_at)
    WITH RECURSIVE ids (id) AS (VALUES (${first}) UNION ALL SELECT id + 1 FROM ids WHERE id < ${last})
    SELECT 'Rex ' || id, id % 50 + 1,
      CASE id % 4 WHEN 1 THEN 'pending' WHEN 3 THEN 'sold' ELSE 'available' END, 1, 0 FROM ids`;
}
