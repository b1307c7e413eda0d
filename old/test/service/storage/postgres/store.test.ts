import { describe } from 'vitest';
import { openStore } from '../../../../src/service/storage/databases.ts';
import { createTestSchema } from '../../../support/postgres.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { describeStore } from '../store-suite.ts';

describe.skipIf(findPostgresObstacle())('on a PostgreSQL server', () => {
  describeStore('PostgreSQL', async () => {
    const { url, drop } = await createTestSchema();
    return {
      open: () => openStore(url),
      openShared: () => openStore(url, { isShared: true }),
      remove: drop,
    };
  });
});
