/** The candidate that was most likely meant by a mistyped word, or undefined where none is near. Case does not count. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  const [best] = Array.from(candidates, (candidate) => ({
    candidate,
    distance: measureDistance(typed, candidate.toLowerCase()),
  })).sort((one, other) => one.distance - other.distance);
  const isNear = best !== undefined && best.distance <= Math.ceil(typed.length / 4);
  return isNear && best.distance < typed.length ? best.candidate : undefined;
}

/** How many letters were left out, added, replaced or swapped with the next one (Damerau and Levenshtein). */
function measureDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      current[at] = Math.min(
        (current[at - 1] ?? 0) + 1,
        (last[at] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && at > 1 ? (beforeLast[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
