import { createHash } from 'node:crypto';
import type { Row, Value } from './copy-endpoint.ts';

/**
 * Adds the rows' SHA-256 to a checksum, modulo 2^256: a sum does not depend on their order, and each database sorts texts
 * in its own way.
 */
export function addToChecksum(checksum: bigint, rows: readonly Row[]): bigint {
  return rows.reduce((sum, row) => BigInt.asUintN(256, sum + hashRow(row)), checksum);
}

function hashRow(row: Row): bigint {
  const text = JSON.stringify(Object.values(row).map(toJson));
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
}

function toJson(value: Value): string | null {
  return value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : (value?.toString() ?? null);
}
