/**
 * Ten rounds, or as many as the first argument says: under load the primary is killed and its replica promoted, then
 * switched over in order, then the replica
 * is killed, then the database is read-only for a while. Ends with 1 when a promise was broken.
 */
import { openFailoverCluster } from '../test/support/failover-cluster.ts';
import { disturbances, runFailoverRound } from '../test/support/failover-rounds.ts';

const rounds = Number(process.argv[2] ?? 10);
const cluster = await openFailoverCluster();
try {
  for (let round = 1; round <= rounds; round += 1)
    for (const disturbance of disturbances) {
      const { faults, acknowledged, recovery } = await runFailoverRound(cluster, disturbance);
      process.stdout.write(
        `${round} ${disturbance}: ${acknowledged} pets acknowledged, adding again after ` +
          `${Math.round(recovery)} ms; ${faults.length} faults\n`,
      );
      for (const fault of new Set(faults)) process.stdout.write(`  ${fault}\n`);
      if (faults.length > 0) process.exitCode = 1;
    }
} finally {
  await cluster.close();
}
