import { createHash } from 'node:crypto';
import type { PetRow } from './row.ts';

/**
 * 64 bits of the name and the category of each row, by which it is known again: a corrected status cannot be given to a
 * pet that is there.
 */
export function hashRows(rows: readonly Pick<PetRow, 'pet'>[]): BigUint64Array {
  const hashes = new BigUint64Array(rows.length);
  const halves = new Uint32Array(hashes.buffer);
  rows.forEach(({ pet }, index) => {
    hashInto(halves, 2 * index, `${pet.categoryId} ${pet.name}`);
  });
  return hashes;
}

/** Two multiplicative hashes of 32 bits, mixed at the end (cyrb53 by bryc, with all its bits), for speed. */
function hashInto(halves: Uint32Array, at: number, text: string): void {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  halves[at] =
    Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  halves[at + 1] =
    Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
}

/** How many are the same as an earlier one. */
export function countAlike(hashes: BigUint64Array): number {
  const sorted = hashes.slice().sort();
  return sorted.reduce((sum, hash, at) => sum + (hash === sorted[at - 1] ? 1 : 0), 0);
}

const LINK_BYTES = 32;

/**
 * The idempotency keys of rows, by their index. Each is made from the row and all before it, so that a file that only grew
 * sends the same keys for its earlier rows, from any computer. A nonce makes them those of another delivery.
 */
export function chainKeys(hashes: BigUint64Array, nonce = ''): (index: number) => string {
  const links = Buffer.alloc(hashes.length * LINK_BYTES);
  const bytes = new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  let link = createHash('sha256').update(nonce).digest();
  for (let index = 0; index < hashes.length; index += 1) {
    const row = bytes.subarray(index * 8, index * 8 + 8);
    link = createHash('sha256').update(link).update(row).digest();
    links.set(link, index * LINK_BYTES);
  }
  return (index) => `import-${links.toString('hex', index * LINK_BYTES, (index + 1) * LINK_BYTES)}`;
}
