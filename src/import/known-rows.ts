import { decodeHashes, type ImportRecord } from './import-record.ts';

/** Rows by the hash of name and category: two equal rows are two pets, so each is there as often as it was counted. */
type RowCounts = Map<bigint, number>;

/** The numbers of a record's rows, from 0, whose state is one of these letters. */
export function listRows({ states }: ImportRecord, letters: string): number[] {
  return Array.from(states, (state, index) => (letters.includes(state) ? index : -1)).filter(
    (index) => index !== -1,
  );
}

/** How often each row of an import is in the store. */
export function countRowsIn(record: ImportRecord): RowCounts {
  const counts: RowCounts = new Map();
  for (const [index, hash] of decodeHashes(record).entries())
    if (record.states[index] === 'i') counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

/** A row is in as often as the import that has it most often says. */
export function mergeCounts(all: readonly ReadonlyMap<bigint, number>[]): RowCounts {
  const merged: RowCounts = new Map();
  for (const counts of all)
    for (const [hash, count] of counts) merged.set(hash, Math.max(count, merged.get(hash) ?? 0));
  return merged;
}

/** Which rows are in, each as often as `counts` says. @param first rows that are known to be in, which come before others. */
export function takeRowsIn(
  hashes: BigUint64Array,
  counts: ReadonlyMap<bigint, number>,
  first: (index: number) => boolean = () => false,
): boolean[] {
  const left = new Map(counts);
  const take = (hash: bigint) => {
    const count = left.get(hash) ?? 0;
    if (count > 0) left.set(hash, count - 1);
    return count > 0;
  };
  const known = Array.from(hashes, (hash, index) => first(index) && (take(hash) || true));
  return known.map((isKnown, index) => isKnown || take(hashes[index] ?? 0n));
}
