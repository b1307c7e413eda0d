import { decodeHashes, type ImportRecord } from './import-record.ts';
import { countRowsIn, listRows, mergeCounts, takeRowsIn } from './known-rows.ts';

/** What an import has to do, by what is known of it on this computer. Rows are numbered from 0. */
export type ImportPlan =
  | { readonly kind: 'done'; readonly record: ImportRecord | undefined }
  | SendPlan
  /** The rows of an import that was killed are finished first, under its keys; then a new plan is made. */
  | { readonly kind: 'finish'; readonly record: ImportRecord; readonly pairs: readonly RowPair[] }
  /** Rows of unknown outcome, whose keys the service no longer knows: somebody has to look. */
  | { readonly kind: 'unsure'; readonly record: ImportRecord; readonly rows: readonly number[] }
  /** `--new` without an earlier import to compare with. */
  | { readonly kind: 'first' }
  /** A copy of an earlier import with rows added, corrected or removed. */
  | { readonly kind: 'copy'; readonly record: ImportRecord; readonly isIn: readonly boolean[] };

export interface SendPlan {
  readonly kind: 'send';
  /** The rows that are in already, and are not sent. */
  readonly isIn: readonly boolean[];
  readonly nonce: string | undefined;
  /** The record of the same rows that this run goes on from. */
  readonly own: ImportRecord | undefined;
  /** The record of the same rows that this run takes the place of. */
  readonly replaced: ImportRecord | undefined;
}

/** A row of an earlier import, and the row of this file that is the same. */
interface RowPair {
  readonly earlier: number;
  readonly row: number;
}

export interface PlanOptions {
  readonly hashes: BigUint64Array;
  /** Of the same rows. */
  readonly own: ImportRecord | undefined;
  /** Of other rows to the same service, newest first: in files of this name, or on a terminal of any. */
  readonly others: readonly ImportRecord[];
  /** Of other rows to the same service, in any file. */
  readonly records: readonly ImportRecord[];
  /** Of this file; what was killed under another name is not gone on with. */
  readonly name: string;
  /** `--new` and `--again`, or what was chosen in their place. */
  readonly wanted: 'new' | 'again' | undefined;
  /** Whether somebody said that the first import of a name may be by `--new`. */
  readonly isFirstWanted: boolean;
  /** Whether the service still knows the keys of an import; asked only where it matters. */
  knowsKeys(record: ImportRecord): Promise<boolean>;
}

/** The one table of what happens (`docs/scripts.md`). */
export async function planImport(options: PlanOptions): Promise<ImportPlan> {
  return options.own === undefined
    ? await planOtherRows(options)
    : await planSameRows(options, options.own);
}

async function planSameRows(options: PlanOptions, own: ImportRecord): Promise<ImportPlan> {
  const { hashes, others, wanted } = options;
  const known = [own, ...(own.nonce === undefined ? others : [])].map(countRowsIn);
  const isIn = takeRowsIn(hashes, mergeCounts(known), (index) => own.states[index] === 'i');
  if (isIn.every(Boolean))
    return wanted === 'again' ? sendAgain(hashes, own) : { kind: 'done', record: own };
  const rows = listRows(own, 'su').filter((index) => !isIn[index]);
  if (rows.length > 0 && !(await options.knowsKeys(own)))
    return { kind: 'unsure', record: own, rows };
  return {
    kind: 'send',
    isIn,
    nonce: own.nonce ?? chooseNonce(options, isIn),
    own,
    replaced: undefined,
  };
}

async function planOtherRows(options: PlanOptions): Promise<ImportPlan> {
  const { hashes, others, name, wanted } = options;
  if (wanted === 'again') return sendAgain(hashes, undefined);
  const known = others.map(countRowsIn);
  const isIn = takeRowsIn(hashes, mergeCounts(known));
  const ofName = others.filter((record) => record.name === name);
  const killed = ofName.find((record) => listRows(record, 'su').length > 0);
  const pairs = killed === undefined ? [] : pairRows(hashes, isIn, killed);
  if (killed !== undefined && pairs.length > 0) {
    if (await options.knowsKeys(killed)) return { kind: 'finish', record: killed, pairs };
    return { kind: 'unsure', record: killed, rows: listRows(killed, 'su') };
  }
  if (wanted === 'new' && ofName.length === 0 && !options.isFirstWanted) return { kind: 'first' };
  const copied = others.find((_, index) => isCopy(hashes, known[index] ?? new Map()));
  const record =
    copied ?? (isHalf(isIn.filter(Boolean).length, hashes.length) ? others[0] : undefined);
  if (wanted === undefined && record !== undefined) return { kind: 'copy', record, isIn };
  if (wanted === 'new' && isIn.every(Boolean)) return { kind: 'done', record: undefined };
  const taken = wanted === 'new' ? isIn : isIn.map(() => false);
  return {
    kind: 'send',
    isIn: taken,
    nonce: chooseNonce(options, taken),
    own: undefined,
    replaced: undefined,
  };
}

/** Rows that begin as another delivery did would have its keys, and be taken for its rows. */
function chooseNonce(
  { hashes, own, records }: PlanOptions,
  isIn: readonly boolean[],
): string | undefined {
  // Some rows have been sent under keys without one.
  if (/[isu]/.test(own?.states ?? '')) return undefined;
  const isTaken = records.some((record) => {
    const earlier = record.nonce === undefined ? decodeHashes(record) : [];
    const end = hashes.findIndex((hash, index) => hash !== earlier[index]);
    const sent = isIn.slice(0, end === -1 ? hashes.length : end);
    return sent.some((known, index) => !known && record.states[index] !== 'n');
  });
  return isTaken ? crypto.randomUUID() : undefined;
}

/** Another delivery of the same rows. */
function sendAgain(hashes: BigUint64Array, replaced: ImportRecord | undefined): SendPlan {
  const isIn = Array.from(hashes, () => false);
  return { kind: 'send', isIn, nonce: crypto.randomUUID(), own: undefined, replaced };
}

/** Whether half or more of what an earlier import added, or of this file, is shared. */
function isCopy(hashes: BigUint64Array, earlier: ReadonlyMap<bigint, number>): boolean {
  const shared = takeRowsIn(hashes, earlier).filter(Boolean).length;
  const added = [...earlier.values()].reduce((sum, count) => sum + count, 0);
  return isHalf(shared, added) || isHalf(shared, hashes.length);
}

function isHalf(shared: number, all: number): boolean {
  return shared > 0 && shared * 2 >= all;
}

/** The rows of a killed import that may have been added and stand in this file, each once. */
function pairRows(
  hashes: BigUint64Array,
  isIn: readonly boolean[],
  killed: ImportRecord,
): RowPair[] {
  const earlierHashes = decodeHashes(killed);
  const waiting = new Map<bigint, number[]>();
  for (const earlier of listRows(killed, 'su')) {
    const hash = earlierHashes[earlier] ?? 0n;
    waiting.set(hash, [...(waiting.get(hash) ?? []), earlier]);
  }
  return Array.from(hashes, (hash, row) => ({ hash, row })).flatMap(({ hash, row }) => {
    const earlier = isIn[row] ? undefined : waiting.get(hash)?.shift();
    return earlier === undefined ? [] : [{ earlier, row }];
  });
}
