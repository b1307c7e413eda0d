/** Counts texts that are the same as an earlier one, by 64-bit hashes: 8 bytes for each. */
export function createAlikeCounter() {
  let hashes = new BigUint64Array(1024);
  let halves = new Uint32Array(hashes.buffer);
  let size = 0;
  return {
    add(text: string): void {
      if (size === hashes.length) {
        const larger = new BigUint64Array(2 * size);
        larger.set(hashes);
        hashes = larger;
        halves = new Uint32Array(hashes.buffer);
      }
      hashInto(halves, 2 * size, text);
      size += 1;
    },
    count(): number {
      const sorted = hashes.slice(0, size).sort();
      let alike = 0;
      for (let at = 1; at < size; at += 1) if (sorted[at] === sorted[at - 1]) alike += 1;
      return alike;
    },
  };
}

/** Two multiplicative hashes of 32 bits, mixed at the end (cyrb53 by bryc, with all its bits): spreads well, for speed. */
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
