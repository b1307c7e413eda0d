import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { findPgbouncerObstacle, openPgbouncer } from '../../../support/pgbouncer.ts';
import { createTestDatabase } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { waitFor } from '../../../support/wait-for.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

async function openPooled(mode: 'session' | 'transaction'): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const pooler = await openPgbouncer(database.url, mode);
  onTestFinished(pooler.close);
  await waitFor(() => connectClient(pooler.url));
  return pooler.url;
}

describe.skipIf(findPostgresObstacle() ?? findPgbouncerObstacle())('a connection pooler', () => {
  it('that lends a session per client may stand in front of the database', async () => {
    const store = await openPostgresStore(await openPooled('session'));
    onTestFinished(store.close);
    await store.checkReady();
    expect(await store.addPets([{ pet }], new Date())).toMatchObject([{ kind: 'added' }]);
  });

  it('that lends its sessions per transaction is refused, and said so', async () => {
    await expect(openPostgresStore(await openPooled('transaction'))).rejects.toThrow(
      'lends its sessions per transaction: set it to session mode',
    );
  });
});
