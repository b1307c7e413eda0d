/** `3,000` */
export function formatNumber(number: number | bigint): string {
  return number.toLocaleString('en-US');
}

/** `1 pet`, `3,000 pets` */
export function formatCount(count: number | bigint, noun: string): string {
  return `${formatNumber(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;
}
