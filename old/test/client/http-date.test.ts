import { describe, expect, it } from 'vitest';
import { parseHttpDate } from '../../src/client/http-date.ts';

const now = Date.parse('2026-11-22T08:49:37Z');

describe('a date of an HTTP header', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Thu, 01 Jan 1970 00:00:00 GMT', '1970-01-01T00:00:00.000Z'],
    ['Fri, 31 Dec 0099 23:59:59 GMT', '0099-12-31T23:59:59.000Z'],
    ['Sunday, 22-Nov-76 08:49:37 GMT', '2076-11-22T08:49:37.000Z'],
    ['Sunday, 22-Nov-77 08:49:37 GMT', '1977-11-22T08:49:37.000Z'],
  ])('%s is %s', (text, date) => {
    expect(parseHttpDate(text, now)).toBe(Date.parse(date));
  });

  it.each([
    'x Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT x',
    'Sun, 31 Apr 2026 08:49:37 GMT',
    'Sun, 00 Nov 2026 08:49:37 GMT',
    'Sun, 06 Nov 2026 24:00:00 GMT',
    'Sun, 06 Nov 2026 08:60:00 GMT',
    'sun, 06 Nov 2026 08:49:37 GMT',
    'Sun, 06 nov 2026 08:49:37 GMT',
    'Sun, 06 Nov 26 08:49:37 GMT',
    'Sun, 6 Nov 2026 08:49:37 GMT',
  ])('%s is none', (text) => {
    expect(parseHttpDate(text, now)).toBeUndefined();
  });
});
