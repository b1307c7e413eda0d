import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { explainOverflow, Int64, parseInt64 } from '../../src/contract/int64.ts';
import { parseJson, stringifyJson } from '../../src/contract/json.ts';

const exact = ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'];
const refused = [
  '9223372036854775808',
  '-9223372036854775809',
  '1.5',
  '1e400',
  '"1"',
  'null',
  '1.0000000000000000001',
  '999999999999999.99',
];

describe('an int64 keeps every digit', () => {
  it.each(exact)('%s goes through JSON in both directions', (digits) => {
    const value = v.parse(Int64, parseJson(digits));
    expect(value).toBe(BigInt(digits));
    expect(stringifyJson({ id: value })).toBe(`{"id":${digits}}`);
  });

  it.each(refused)('%s in JSON is not an int64', (text) => {
    expect(v.is(Int64, parseJson(text))).toBe(false);
  });

  it.each(exact)('%s is read from plain digits', (digits) => {
    expect(parseInt64(digits)).toBe(BigInt(digits));
  });

  it.each(['', ' 1', '1 ', '+1', '0x1', '1n', '1.0', '١', '9223372036854775808'])(
    '%j is not plain digits of an int64',
    (text) => {
      expect(parseInt64(text)).toBeUndefined();
    },
  );
});

describe('a number too large for an int64 is explained by the bound that it passes', () => {
  it.each([
    [9223372036854775808n, ' (the largest is 9223372036854775807)'],
    ['9223372036854775808', ' (the largest is 9223372036854775807)'],
    ['0009223372036854775808', ' (the largest is 9223372036854775807)'],
    ['-0009223372036854775809', ' (the smallest is -9223372036854775808)'],
    ['9'.repeat(400), ' (the largest is 9223372036854775807)'],
  ])('%s:%s', (value, text) => {
    expect(explainOverflow(value)).toBe(text);
  });

  it.each([
    9223372036854775807n,
    '9223372036854775807',
    '-9223372036854775808',
    '0000000000000000000001',
    '1e400',
    'x9223372036854775808',
    '9223372036854775808x',
    ['9223372036854775808'],
    null,
  ])('%s is explained by none', (value) => {
    expect(explainOverflow(value)).toBeUndefined();
  });
});
