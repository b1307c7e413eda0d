/** Backs up the built service under 300 adds per second and restores it, twenty times or as often as the first argument says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runBackupRounds } from '../test/support/backup-rounds.ts';

const rounds = Number(process.argv[2] ?? 20);
const folder = await mkdtemp(path.join(tmpdir(), 'petstore-backup-'));
try {
  const options = { folder, rounds, pets: 100_000, addsPerSecond: 300 };
  const { addsPerSecond, longest, pets } = await runBackupRounds(options);
  process.stdout.write(
    `${rounds} backups under ${Math.round(addsPerSecond)} adds per second, each checked, restored and served: ` +
      `every pet acknowledged before is there, none twice; ${pets} pets in the last; ` +
      `a backup took ${Math.round(longest)} ms at most\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
