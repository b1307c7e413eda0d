import { createHash } from 'node:crypto';

/** A count and a checksum of rows, independent of their order. */
export interface Tally {
  add(row: object): void;
  readonly count: number;
  /** The sum of the rows' SHA-256 modulo 2^256, in hexadecimal: each database sorts texts in its own way. */
  checksum(): string;
}

export function createTally(): Tally {
  let count = 0;
  let sum = 0n;
  return {
    add(row) {
      count += 1;
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hashRow(row)}`));
    },
    get count() {
      return count;
    },
    checksum: () => sum.toString(16).padStart(64, '0'),
  };
}

/** The same for the same row from any database. */
function hashRow(row: object): string {
  const members = Object.entries(row)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, describeValue(value)]);
  return createHash('sha256').update(JSON.stringify(members)).digest('hex');
}

function describeValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
