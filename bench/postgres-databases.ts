import { Client } from 'pg';
import { issueKey } from '../src/service/keys/issue-key.ts';
import { openPostgresStore } from '../src/service/storage/postgres/open-postgres-store.ts';
import type { Database } from './databases.ts';

/** A database on this server with so many pets, ids from 1 on without a gap. It ends with the server. */
export async function makePostgresDatabase(
  server: string,
  name: string,
  rows: number,
): Promise<Database> {
  await execute(server, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const store = await openPostgresStore(url);
  const { key } = await issueKey(store, { name: 'bench', createdAt: new Date() });
  await store.close();
  await execute(url, fillRows(rows));
  await execute(url, 'VACUUM ANALYZE');
  return { url, file: '', key };
}

/** Half of the pets available, a quarter each pending and sold. */
function fillRows(rows: number): string {
  return `INSERT INTO pets (id, name, category_id, status)
    SELECT id, 'Rex ' || id, id % 50 + 1,
      CASE id % 4 WHEN 1 THEN 'pending' WHEN 3 THEN 'sold' ELSE 'available' END
    FROM generate_series(1, ${rows}) AS ids (id);
    UPDATE id_counters SET last_id = ${rows} WHERE name = 'pets';
    CREATE SEQUENCE pet_ids START ${10 ** 12}`;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
