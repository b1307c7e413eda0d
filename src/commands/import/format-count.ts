/** `1 pet`, `3,000 pets` */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

export function formatAlike(count: number): string {
  return `${formatCount(count, 'row')} ${count === 1 ? 'is' : 'are'} the same as an earlier row.`;
}

/** `1,200 of 3,000, 820 per second, 3 s left` @param startedAt milliseconds of `performance.now()`. */
export function formatProgress(done: number, count: number, startedAt: number): string {
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = done / Math.max(seconds, 0.001);
  const left = Math.ceil((count - done) / rate);
  const time = left < 120 ? `${left} s` : `${Math.ceil(left / 60)} min`;
  const counts = `${done.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}`;
  return `${counts}, ${Math.round(rate).toLocaleString('en-US')} per second, ${time} left`;
}
