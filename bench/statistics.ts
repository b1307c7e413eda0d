/** The middle value: one disturbed run does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('An empty list has no median.');
  return middle;
}

/** The value below which a tenth of them lie: what a run takes when the machine does little else. */
export function lowestTenth(values: readonly number[]): number {
  return findQuantile(values, 1 / 10);
}

/** The value beyond which a tenth of them lie. */
export function highestTenth(values: readonly number[]): number {
  return findQuantile(values, 9 / 10);
}

function findQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/**
 * The median of a's figure over b's, round by round: both ran within the same few seconds,
 * so what else the machine did then affects both.
 */
export function pairedRatio(a: readonly number[], b: readonly number[]): number {
  return median(pairedRatios(a, b));
}

/** a's figure over b's, round by round. */
export function pairedRatios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, round) => {
    const other = b[round];
    if (other === undefined) throw new Error('The rounds are not paired.');
    return value / other;
  });
}

/**
 * The median, and the values between which it lies with 95 % and more, by order statistics (the binomial distribution
 * of how many values lie below the true median), which asks nothing of how the values are distributed.
 */
export function medianInterval(values: readonly number[]): {
  low: number;
  middle: number;
  high: number;
} {
  const sorted = [...values].sort((one, other) => one - other);
  let probability = 0.5 ** sorted.length;
  let below = probability;
  let rank = 0;
  while (below + probability * ((sorted.length - rank) / (rank + 1)) <= 0.025) {
    probability *= (sorted.length - rank) / (rank + 1);
    below += probability;
    rank += 1;
  }
  const [low, high] = [sorted[rank], sorted.at(-1 - rank)];
  if (low === undefined || high === undefined) throw new Error('An empty list has no median.');
  return { low, middle: median(values), high };
}
