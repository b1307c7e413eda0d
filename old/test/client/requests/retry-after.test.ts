import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../../src/client/read-response.ts';

const now = Date.parse('2026-11-22T08:49:37Z');
const read = (value: string) => readRetryAfter({ headers: { 'retry-after': value } }, now);

describe('Retry-After (RFC 9110, section 10.2.3)', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    ['99999999999999999999', 10_000_000_000],
    ['Sun, 22 Nov 2026 08:51:37 GMT', 120],
    ['Sunday, 22-Nov-26 08:51:37 GMT', 120],
    ['Sun Nov 22 08:51:37 2026', 120],
    ['Sun Nov  1 08:51:37 2026', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 251_606_963_422],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['2027', 2027],
    ['2027-01-01', undefined],
    ['Sun, 31 Feb 2026 08:49:37 GMT', undefined],
    ['Sun, 22 Foo 2026 08:49:37 GMT', undefined],
    ['Sun, 22 Nov 2026 08:99:37 GMT', undefined],
    ['Sun, 22 Nov 2026 08:49:37 PST', undefined],
  ])('%j is %s seconds', (value, seconds) => {
    expect(read(value)).toBe(seconds);
  });

  it('a date in any of the three forms is as far away as it is', () => {
    const within = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2070-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(within, (date) => {
        const [day = '', dayOfMonth = '', month = '', year = '', time = ''] = date
          .toUTCString()
          .split(/,? /);
        const long = { Sun: 'Sunday', Mon: 'Monday', Tue: 'Tuesday', Wed: 'Wednesday' };
        const names = Object.entries(long).find(([short]) => short === day);
        const expected = Math.max(
          0,
          Math.ceil((Math.floor(date.getTime() / 1000) * 1000 - now) / 1000),
        );
        expect(read(date.toUTCString())).toBe(expected);
        expect(read(`${day} ${month} ${dayOfMonth.replace(/^0/, ' ')} ${time} ${year}`)).toBe(
          expected,
        );
        expect(
          read(`${names?.[1] ?? 'Friday'}, ${dayOfMonth}-${month}-${year.slice(2)} ${time} GMT`),
        ).toBe(expected);
      }),
    );
  });

  it('no text at all is an exception, a negative wait or not a number', () => {
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
    fc.assert(
      fc.property(fc.oneof(fc.string(), dates, fc.bigInt().map(String)), (value) => {
        const seconds = read(value);
        expect(seconds === undefined || (Number.isInteger(seconds) && seconds >= 0)).toBe(true);
      }),
    );
  });
});
