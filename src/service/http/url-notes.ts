/** Notes which URLs were asked for lately. */
export interface UrlNotes {
  /** Notes a URL; true when it was noted before, at most `reach` notes ago, and nothing has taken its place since. */
  note(url: string): boolean;
  clear(): void;
}

/** The lower bits of a hash are a URL's place, of which there are a million: few URLs share one and push each other out. */
const PLACE_MASK = 0xfffff;

/**
 * Notes in a table of fixed size, 4 MiB, by a hash; for speed: in a Map of so many URLs each look-up is slow, and the
 * garbage collector has to move what it keeps. A place holds the rest of the hash, and how many were noted before, in as
 * many bits as the mask has. A URL takes the place of another now and then, and almost never passes for one.
 * @param reach far less than the places.
 */
export function createUrlNotes(reach: number): UrlNotes {
  const table = new Int32Array(PLACE_MASK + 1);
  // So that an empty place is out of reach.
  let count = reach;
  return {
    note(url) {
      count = (count + 1) & PLACE_MASK;
      const hash = hashText(url);
      const place = hash & PLACE_MASK;
      const rest = hash & ~PLACE_MASK;
      const noted = table[place] ?? 0;
      table[place] = rest | count;
      return (noted & ~PLACE_MASK) === rest && ((count - noted) & PLACE_MASK) <= reach;
    },
    clear() {
      table.fill(0);
      count = reach;
    },
  };
}

/** FNV-1a with 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
