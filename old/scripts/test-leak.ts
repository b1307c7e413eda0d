/** Sends the built service 50,000 mixed requests, one in a hundred malformed, and weighs its heap before and after. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runLeakCheck } from '../test/support/leak-run.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'petstore-leak-'));
try {
  const { tally, before, after } = await runLeakCheck(folder, { warmUp: 10_000, measured: 50_000 });
  const failed = [...tally].filter(([status]) => status >= 500 && status !== 503);
  const counts = [...tally].sort().map(([status, count]) => `${status || 'closed'}: ${count}`);
  process.stdout.write(
    `${counts.join(', ')}\nheap ${toMiB(before)} MiB after warm-up, ${toMiB(after)} MiB at the end: ` +
      `${(after / before).toFixed(2)} times\n`,
  );
  if (failed.length > 0 || after / before > 1.2) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function toMiB(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
