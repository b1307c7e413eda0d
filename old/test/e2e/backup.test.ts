import { expect, it } from 'vitest';
import { runBackupRounds } from '../support/backup-rounds.ts';
import { makeFolder } from '../support/make-folder.ts';

it('a backup under load holds every pet that was acknowledged before, and is served (npm run test:backup does 20)', async () => {
  const folder = await makeFolder();
  const options = { folder, rounds: 2, pets: 5_000, addsPerSecond: 100 };
  const { addsPerSecond, pets } = await runBackupRounds(options);
  expect(pets).toBeGreaterThan(5_000);
  expect(addsPerSecond).toBeGreaterThan(0);
}, 60_000);
