import { InvalidArgumentError } from 'commander';

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `500ms`, `30s`, `2m`, `12h` or `90d` into milliseconds. */
export function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = units[unit ?? ''];
  if (digits === undefined || factor === undefined || Number(digits) === 0) {
    throw new InvalidArgumentError('Write a number and its unit, such as 500ms, 30s or 2m.');
  }
  return Number(digits) * factor;
}
