import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FailoverCluster, openFailoverCluster } from '../support/failover-cluster.ts';
import { disturbances, runFailoverRound } from '../support/failover-rounds.ts';
import { findHaproxyObstacle } from '../support/haproxy.ts';
import { findNginxObstacle } from '../support/nginx.ts';
import { findPostgresObstacle } from '../support/postgres-cluster.ts';

const obstacle = findPostgresObstacle() ?? findNginxObstacle() ?? findHaproxyObstacle();

describe.skipIf(obstacle)('three instances on a primary with a synchronous replica', () => {
  let cluster: FailoverCluster;
  beforeAll(async () => {
    cluster = await openFailoverCluster();
  });
  afterAll(() => cluster?.close());

  it.each(disturbances)(
    'lose and double no acknowledged pet in a round of %s (npm run test:failover does ten)',
    async (disturbance) => {
      expect((await runFailoverRound(cluster, disturbance)).faults).toEqual([]);
    },
    120_000,
  );
});
