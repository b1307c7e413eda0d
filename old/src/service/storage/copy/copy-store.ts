import { addToChecksum } from './checksum.ts';
import { type CopyEndpoint, type Row, type RowKind, tables, type Value } from './copy-endpoint.ts';

/** Rows read and written at once, so that memory does not grow with the store. */
const BATCH_SIZE = 1_000;

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

/** API keys last, so nobody can use a store that is not complete. */
const kinds = ['pets', 'idempotencyKeys', 'apiKeys'] as const;

interface CopyEndpoints {
  readonly from: CopyEndpoint;
  readonly to: CopyEndpoint;
}

type Report = (step: CopyProgress['step'], kind: RowKind, done: number) => void;

/**
 * Copies everything in a store into an empty one, or continues an earlier copy that was interrupted, and compares both
 * sides at the end. Pets are copied in order, so the last one shows how far a copy got.
 * @throws CopyError, StoreUnavailableError, and the signal's reason
 */
export async function copyStore(ends: CopyEndpoints, { signal, onProgress }: CopyOptions) {
  const totals = { pets: 0, idempotencyKeys: 0, apiKeys: 0 };
  for (const kind of kinds) totals[kind] = await ends.from.countRows(kind);
  const report: Report = (step, kind, done) => {
    onProgress({ step, kind, done, total: totals[kind] });
    signal.throwIfAborted();
  };
  const pets = await checkEarlierCopy(ends, 'pets', report);
  await checkEarlierCopy(ends, 'apiKeys', report);
  await copyRows(ends, 'pets', report, pets);
  // Keys are all copied again: they change, and old ones are deleted.
  for (const kind of ['idempotencyKeys', 'apiKeys'] as const) {
    await ends.to.clearRows(kind);
    await copyRows(ends, kind, report);
  }
  const counts = { pets: 0, idempotencyKeys: 0, apiKeys: 0 };
  const checksums = { pets: '', idempotencyKeys: '', apiKeys: '' };
  for (const kind of kinds) {
    const { count, checksum } = await verify(ends, kind, report);
    counts[kind] = count;
    checksums[kind] = checksum;
  }
  return { counts, checksums };
}

/**
 * The rows of the target must be the first of the source: else it is another store, and must not be changed. Returns how
 * many there are, and where they end.
 */
async function checkEarlierCopy({ from, to }: CopyEndpoints, kind: RowKind, report: Report) {
  let done = 0;
  let end: Value | undefined;
  for await (const { after, rows, last } of walkRows(to, kind)) {
    const originals = await from.readRows(kind, after, rows.length);
    if (identify(kind, originals) !== identify(kind, rows)) {
      throw new CopyError(
        'the target has rows that are not in the source, so it is another store: copy into an empty database',
      );
    }
    done += rows.length;
    end = last;
    report('checking', kind, done);
  }
  return { done, end };
}

/** A checksum of what never changes: pets as they are, and API keys but for their times. */
function identify(kind: RowKind, rows: readonly Row[]): bigint {
  const constant =
    kind === 'pets' ? rows : rows.map(({ id = null, hash = null }) => ({ id, hash }));
  return addToChecksum(0n, constant);
}

async function copyRows(
  { from, to }: CopyEndpoints,
  kind: RowKind,
  report: Report,
  earlier: { done: number; end?: Value | undefined } = { done: 0 },
) {
  let { done } = earlier;
  for await (const { after, rows } of walkRows(from, kind, earlier.end)) {
    report('copying', kind, done);
    if (!(await to.appendRows(kind, rows, after))) {
      throw new CopyError(
        'something else is writing to the target: stop every service on it, then run the same command again',
      );
    }
    done += rows.length;
  }
  report('copying', kind, done);
}

async function verify({ from, to }: CopyEndpoints, kind: RowKind, report: Report) {
  const [source, target] = [
    { count: 0, checksum: 0n },
    { count: 0, checksum: 0n },
  ];
  const tally = async (endpoint: CopyEndpoint, side: typeof source) => {
    for await (const { rows } of walkRows(endpoint, kind)) {
      side.count += rows.length;
      side.checksum = addToChecksum(side.checksum, rows);
      report('verifying', kind, Math.min(source.count, target.count));
    }
  };
  await Promise.all([tally(from, source), tally(to, target)]);
  if (source.count !== target.count || source.checksum !== target.checksum) {
    throw new CopyError(
      `source and target differ in their ${kind} (${source.count} and ${target.count}): ` +
        'stop every service on either, then run the same command again',
    );
  }
  return { count: target.count, checksum: target.checksum.toString(16).padStart(64, '0') };
}

/** Every row after `start`, a batch at a time. */
async function* walkRows(
  endpoint: CopyEndpoint,
  kind: RowKind,
  start: Value = tables[kind].order === 'id' ? 0n : '',
) {
  let after = start;
  for (;;) {
    const rows = await endpoint.readRows(kind, after, BATCH_SIZE);
    const last = rows.at(-1)?.[tables[kind].order];
    if (last === undefined) return;
    yield { after, rows, last };
    after = last;
  }
}
