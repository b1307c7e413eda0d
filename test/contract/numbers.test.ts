import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN, Int64, parseInt64 } from '../../src/contract/int64.ts';
import {
  findDuplicateMember,
  isJsonObject,
  parseJson,
  stringifyJson,
} from '../../src/contract/json.ts';

describe('an int64 keeps every digit', () => {
  it('through JSON in both directions, and from plain digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), (value) => {
        expect(v.parse(Int64, parseJson(String(value)))).toBe(value);
        expect(stringifyJson({ id: value })).toBe(`{"id":${value}}`);
        expect(parseInt64(String(value))).toBe(value);
      }),
    );
  });

  it.each([
    ['1e18', 10n ** 18n],
    ['-1E+18', -(10n ** 18n)],
    ['9007199254740993.0', 9007199254740993n],
    ['9.007199254740993e15', 9007199254740993n],
    ['922337203685477580700e-2', INT64_MAX],
    ['0e999999999', 0n],
    ['5.0', 5n],
  ])('%s in JSON is the integer that it means', (text, value) => {
    expect(v.parse(Int64, parseJson(text))).toBe(value);
  });

  it('has a value, whatever its spelling', () => {
    const exponent = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: INT64_MAX }), exponent, (value, power) => {
        expect(v.parse(Int64, parseJson(`${value}${'0'.repeat(power)}e-${power}`))).toBe(value);
        expect(v.parse(Int64, parseJson(`${value}.${'0'.repeat(power + 1)}`))).toBe(value);
      }),
    );
  });

  it.each([
    '9223372036854775808',
    '-9223372036854775809',
    '1.5',
    '1e400',
    '"1"',
    'null',
    '1.0000000000000000001',
    '999999999999999.99',
  ])('%s in JSON is none', (text) => {
    expect(v.is(Int64, parseJson(text))).toBe(false);
  });

  it.each(['', ' 1', '1 ', '+1', '0x1', '1n', '1.0', '١', '9223372036854775808'])(
    '%j is not its plain digits',
    (text) => {
      expect(parseInt64(text)).toBeUndefined();
    },
  );
});

describe('JSON', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, false),
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).any;

  it('comes back as it was written, long integers included', () => {
    fc.assert(
      fc.property(value, (written) => {
        expect(parseJson(stringifyJson(written))).toEqual(written);
      }),
    );
  });

  it.each(['', '{', '[1,]', "{'a':1}", '[9007199254740993', '{"a":01234567890123456789}', '1e5 x'])(
    '%j is refused',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['1234567890.1234567', 1234567890.1234567],
    ['1E2', 100],
    [`1${'0'.repeat(99)}`, 10n ** 99n],
  ])('%s keeps its digits', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  it.each(['1e400', '0.12345678901234567890', '1'.repeat(4_000_000)])(
    'is not rounded, and not computed for long: case %#',
    (text) => {
      expect(parseJson(text)).toBeTypeOf('object');
      expect(isJsonObject(parseJson(text))).toBe(false);
    },
  );

  it.each([
    ['{}', true],
    ['[]', false],
    ['null', false],
    ['1', false],
    ['"{}"', false],
  ])('%s is an object: %s', (text, expected) => {
    expect(isJsonObject(parseJson(text))).toBe(expected);
  });

  it.each([
    ['{"name":"a","name":"a"}', 'name'],
    ['{"name":"a","n\\u0061me":"b"}', 'name'],
    ['{"__proto__":1,"__proto__":1}', '__proto__'],
    ['{"name":"categoryId","categoryId":1}', undefined],
    ['{"name":"\\"name\\":","categoryId":1}', undefined],
  ])('%s gives twice: %s', (text, member) => {
    expect(findDuplicateMember(text)).toBe(member);
  });
});
