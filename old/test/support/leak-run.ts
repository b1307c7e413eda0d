import path from 'node:path';
import { makeKey } from './make-key.ts';
import { sendRequestMix, type Tally } from './request-mix.ts';
import { type ServeProcess, startServeProcess } from './serve-process.ts';
import { waitFor } from './wait-for.ts';

export interface LeakResult {
  readonly tally: Tally;
  /** Heap in use after a forced collection, in bytes: after warm-up and at the end. */
  readonly before: number;
  readonly after: number;
}

/** Sends a mixed load to a built service of its own, and weighs its heap after warm-up and at the end. */
export async function runLeakCheck(
  folder: string,
  counts: { warmUp: number; measured: number },
): Promise<LeakResult> {
  const database = `sqlite:${folder}/petstore.db`;
  const key = makeKey(database);
  const service = await startServeProcess({
    database,
    args: ['--log-level', 'silent', '--seed'],
    nodeArgs: ['--expose-gc', '--require', path.join(import.meta.dirname, 'heap-probe.cjs')],
  });
  try {
    const target = { url: service.url, key };
    await sendRequestMix(target, counts.warmUp);
    const before = await weighHeap(service);
    const tally = await sendRequestMix(target, counts.measured);
    return { tally, before, after: await weighHeap(service) };
  } finally {
    await service.stop();
  }
}

async function weighHeap(service: ServeProcess): Promise<number> {
  const listHeaps = () =>
    [...service.stderr().matchAll(/^heap (\d+)$/gm)].map(([, bytes]) => Number(bytes));
  const known = listHeaps().length;
  service.child.kill('SIGUSR2');
  return await waitFor(() => {
    const heap = listHeaps()[known];
    if (heap === undefined) throw new Error('the service did not say how much heap it uses');
    return heap;
  });
}
