import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { usePostgres } from '../support/postgres-database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { createTestApp } from '../support/test-app.ts';
import { waitFor } from '../support/wait-for.ts';

const { createDatabase } = usePostgres();

/** A database, and what runs a statement on it as another program that stays connected. */
const engines = {
  async SQLite() {
    const file = `${await createTemporaryFolder()}/petstore.db`;
    const connect = async () => {
      const other = new DatabaseSync(file);
      onTestFinished(() => other.close());
      return async (sql: string) => other.exec(sql);
    };
    return { database: `sqlite:${file}`, connect, lock: 'BEGIN IMMEDIATE' };
  },
  async PostgreSQL() {
    const database = await createDatabase();
    const connect = async () => {
      const other = new Client({ connectionString: database });
      await other.connect();
      onTestFinished(() => other.end());
      return async (sql: string) => void (await other.query(sql));
    };
    return { database, connect, lock: 'BEGIN; LOCK TABLE pets IN SHARE MODE' };
  },
} as const;

const changes = ['its tables are locked', 'idempotency_keys is renamed', 'api_keys is renamed'];

it.each(
  Object.entries(engines).flatMap(([name, open]) =>
    changes.map((change) => ({ name, open, change })),
  ),
)('/readyz is 503 while $change, and 200 after it: $name', async ({ open, change }) => {
  const { database, connect, lock } = await open();
  const { get } = await createTestApp({ database });
  const expectStatus = (status: number) =>
    waitFor(async () => expect((await get('/readyz')).statusCode).toBe(status));
  await expectStatus(200);
  const run = await connect();
  const isLocked = change === 'its tables are locked';
  const [table] = change.split(' ');
  await run(isLocked ? lock : `ALTER TABLE ${table} RENAME TO others`);
  await expectStatus(503);
  await run(isLocked ? 'ROLLBACK' : `ALTER TABLE others RENAME TO ${table}`);
  await expectStatus(200);
});
