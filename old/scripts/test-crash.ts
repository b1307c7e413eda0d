/** Kills the built service under load fifty times, or as often as the first argument says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCrashRounds } from '../test/support/crash-rounds.ts';
import { makeKey } from '../test/support/make-key.ts';

const rounds = Number(process.argv[2] ?? 50);
const folder = await mkdtemp(path.join(tmpdir(), 'petstore-crash-'));
try {
  const file = path.join(folder, 'petstore.db');
  const key = makeKey(`sqlite:${file}`);
  const { acknowledged, unknown } = await runCrashRounds({ file, key, rounds });
  process.stdout.write(
    `${rounds} rounds: ${acknowledged} pets acknowledged and all stored, none twice; ` +
      `${unknown} adds in flight when killed, settled by their keys; integrity_check ok each time\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
