/** Notes which URLs were asked for. */
export interface UrlNotes {
  /** Notes a URL; true when it was noted before and nothing has taken its place since. */
  note(url: string): boolean;
  clear(): void;
}

/**
 * Notes in a table of fixed size, by a hash; for speed: in a Map of so many URLs each look-up is slow, and the garbage
 * collector has to move what it keeps. A URL takes the place of another now and then, and almost never passes for one.
 */
export function createUrlNotes(size: number): UrlNotes {
  const hashes = new Uint32Array(size);
  return {
    note(url) {
      const hash = hashText(url);
      const place = hash % size;
      const wasNoted = hashes[place] === hash;
      hashes[place] = hash;
      return wasNoted;
    },
    clear: () => void hashes.fill(0),
  };
}

/** FNV-1a with 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
