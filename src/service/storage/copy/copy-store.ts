import { createTally } from './checksum.ts';
import type { CopyEndpoint, RowCounts } from './copy-endpoint.ts';
import {
  type RowKind,
  rowKinds,
  walkApiKeys,
  walkIdempotencyKeys,
  walkPets,
  walkRows,
} from './row-walk.ts';

/** The target is not a copy of the source, or something else is writing to one of them. The message says what to do. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
}

interface CopyProgress {
  readonly step: 'checking' | 'copying' | 'verifying';
  readonly kind: RowKind;
  readonly done: number;
  readonly total: number;
}

interface CopyOptions {
  /** Stops the copy between two batches; what was copied stays. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

interface CopyReport {
  readonly counts: RowCounts;
  /** Of each kind of row, the same on both sides. */
  readonly checksums: Readonly<Record<RowKind, string>>;
}

interface CopyEndpoints {
  readonly from: CopyEndpoint;
  readonly to: CopyEndpoint;
}

/**
 * Copies everything in a store into an empty one, or continues an earlier copy that was interrupted, and compares both
 * sides at the end. Pets come first and in order, so the last one shows how far a copy got; API keys come last, so nobody
 * can use a store that is not complete.
 * @throws CopyError, StoreUnavailableError, and the signal's reason
 */
export async function copyStore(ends: CopyEndpoints, options: CopyOptions): Promise<CopyReport> {
  const totals = await ends.from.countRows();
  const report = (step: CopyProgress['step'], kind: RowKind, done: number) => {
    options.onProgress({ step, kind, done, total: totals[kind] });
    options.signal.throwIfAborted();
  };
  await checkEarlierCopy(ends, (done) => report('checking', 'pets', done));
  await copyPets(ends, (done) => report('copying', 'pets', done));
  await copyIdempotencyKeys(ends, (done) => report('copying', 'idempotencyKeys', done));
  await copyApiKeys(ends, (done) => report('copying', 'apiKeys', done));
  return await verify(ends, (kind, done) => report('verifying', kind, done));
}

/** The rows of the target must be the first of the source: else it is another store, and must not be changed. */
async function checkEarlierCopy({ from, to }: CopyEndpoints, onProgress: (done: number) => void) {
  const [theirs, ours] = [createTally(), createTally()];
  for await (const pets of walkPets(to)) {
    for (const pet of pets) ours.add(pet);
    const [first, last] = [pets[0], pets.at(-1)];
    if (first === undefined || last === undefined) break;
    for (const pet of await from.readPets(first.id - 1n, pets.length)) theirs.add(pet);
    onProgress(ours.count);
    if (theirs.checksum() !== ours.checksum()) throw new CopyError(otherStore);
  }
  for await (const keys of walkApiKeys(to)) {
    for (const key of keys) {
      const [same] = await from.readApiKeys(key.id - 1n, 1);
      const isSame = same?.id === key.id && Buffer.compare(same.hash, key.hash) === 0;
      if (!isSame) throw new CopyError(otherStore);
    }
  }
}

const otherStore =
  'the target has rows that are not in the source, so it is another store: copy into an empty database';

async function copyPets(
  { from, to }: CopyEndpoints,
  onProgress: (done: number) => void,
): Promise<void> {
  let last = await to.lastPetId();
  let { pets: done } = await to.countRows();
  for await (const pets of walkPets(from, last)) {
    onProgress(done);
    if (!(await to.appendPets(pets, last))) {
      throw new CopyError(
        'something else is writing to the target: stop every service on it, then run the same command again',
      );
    }
    last = pets.at(-1)?.id ?? last;
    done += pets.length;
  }
  onProgress(done);
}

/** All of them again, even when a copy continues: the source may have deleted old ones meanwhile. */
async function copyIdempotencyKeys(
  { from, to }: CopyEndpoints,
  onProgress: (done: number) => void,
) {
  let done = 0;
  await to.clearIdempotencyKeys();
  for await (const keys of walkIdempotencyKeys(from)) {
    await to.putIdempotencyKeys(keys);
    done += keys.length;
    onProgress(done);
  }
}

async function copyApiKeys({ from, to }: CopyEndpoints, onProgress: (done: number) => void) {
  let done = 0;
  for await (const keys of walkApiKeys(from)) {
    await to.putApiKeys(keys);
    done += keys.length;
    onProgress(done);
  }
}

async function verify(
  { from, to }: CopyEndpoints,
  onProgress: (kind: RowKind, done: number) => void,
): Promise<CopyReport> {
  const counts = { pets: 0, idempotencyKeys: 0, apiKeys: 0 };
  const checksums = { pets: '', idempotencyKeys: '', apiKeys: '' };
  for (const kind of rowKinds) {
    const done = { from: 0, to: 0 };
    const tally = (side: 'from' | 'to') =>
      tallyRows(side === 'from' ? from : to, kind, (count) => {
        done[side] = count;
        onProgress(kind, Math.min(done.from, done.to));
      });
    const [source, target] = await Promise.all([tally('from'), tally('to')]);
    if (source.count !== target.count || source.checksum() !== target.checksum()) {
      throw new CopyError(
        `source and target differ in their ${kind} (${source.count} and ${target.count}): ` +
          'stop every service on either, then run the same command again',
      );
    }
    counts[kind] = target.count;
    checksums[kind] = target.checksum();
  }
  return { counts, checksums };
}

async function tallyRows(
  endpoint: CopyEndpoint,
  kind: RowKind,
  onProgress: (done: number) => void,
) {
  const tally = createTally();
  for await (const rows of walkRows(endpoint, kind)) {
    for (const row of rows) tally.add(row);
    onProgress(tally.count);
  }
  return tally;
}
