import type { NewPet } from '../contract/pet.ts';

/**
 * 64 bits of the name and the category of a pet, by which a row is known again: a corrected status cannot be given to a
 * pet that is there. Two multiplicative hashes of 32 bits, mixed at the end (cyrb53 by bryc, with all its bits), for speed.
 */
export function hashRow({ name, categoryId }: NewPet): bigint {
  const text = `${categoryId} ${name}`;
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  const low = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  const high =
    Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** How many are the same as an earlier one. */
export function countAlike(hashes: BigUint64Array): number {
  const sorted = hashes.slice().sort();
  return sorted.reduce((sum, hash, at) => sum + (hash === sorted[at - 1] ? 1 : 0), 0);
}
