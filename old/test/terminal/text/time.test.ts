import { describe, expect, it } from 'vitest';
import { formatAgo, formatUntil } from '../../../src/terminal/text/time.ts';

const now = new Date(2026, 0, 9, 8, 5);

describe('a time to come', () => {
  it.each([
    [new Date(2026, 0, 9, 23, 59), '23:59'],
    [new Date(2026, 0, 9, 9, 7), '09:07'],
    [new Date(2026, 0, 10, 0, 0), '2026-01-10 00:00'],
    [new Date(2026, 11, 31, 14, 30), '2026-12-31 14:30'],
    [new Date(2027, 0, 9, 8, 5), '2027-01-09 08:05'],
  ])('%s is %s', (time, text) => {
    expect(formatUntil(time, now)).toBe(text);
  });
});

describe('how long ago that was', () => {
  const second = 1000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;

  it.each([
    [-5 * second, '0 s ago'],
    [0, '0 s ago'],
    [minute - 1, '59 s ago'],
    [minute, '1 min ago'],
    [hour - 1, '59 min ago'],
    [hour, '1 h ago'],
    [2 * day - 1, '47 h ago'],
    [2 * day, '2 days ago'],
    [40 * day + 23 * hour, '40 days ago'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatAgo(new Date(now.getTime() - ms), now)).toBe(text);
  });
});
