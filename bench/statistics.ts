/** The middle value: one disturbed run does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('An empty list has no median.');
  return middle;
}

/**
 * The median of a's figure over b's, round by round: both ran within the same few seconds,
 * so what else the machine did then affects both.
 */
export function pairedRatio(a: readonly number[], b: readonly number[]): number {
  return median(
    a.map((value, round) => {
      const other = b[round];
      if (other === undefined) throw new Error('The rounds are not paired.');
      return value / other;
    }),
  );
}
