/** Notes which URLs were requested lately. Distances are in bytes of their responses. */
export interface UrlNotes {
  /** Notes a URL; true when it was noted before, at most `reach` ago, and nothing has taken its place since. */
  note(url: string, bytes: number): boolean;
  clear(): void;
}

/** The lower bits of a hash are a URL's place, of which there are a million: few URLs share one and push each other out. */
const PLACE_MASK = 0xfffff;

/** Into how many steps the reach is divided. */
const REACH_STEPS = 4_096;

/**
 * Notes in a table of fixed size, 4 MiB, by a hash; for speed: in a Map of so many URLs each look-up is slow, and the
 * garbage collector has to move what it keeps. A place holds the upper bits of the hash and, in the lower ones, the step at
 * which it was noted. Steps start over after a million, and then a very old note, or an empty place, passes for a recent
 * one now and then. Another URL takes its place now and then, and almost never passes for it.
 */
export function createUrlNotes(reach: number): UrlNotes {
  const table = new Int32Array(PLACE_MASK + 1);
  // So that an empty place is out of reach.
  let total = 2 * reach;
  return {
    note(url, bytes) {
      total += bytes;
      const step = Math.floor((total / reach) * REACH_STEPS) & PLACE_MASK;
      const hash = hashText(url);
      const place = hash & PLACE_MASK;
      const rest = hash & ~PLACE_MASK;
      const noted = table[place] ?? 0;
      table[place] = rest | step;
      return (noted & ~PLACE_MASK) === rest && ((step - noted) & PLACE_MASK) <= REACH_STEPS;
    },
    clear: () => void table.fill(0),
  };
}

/** FNV-1a with 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
