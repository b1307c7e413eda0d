import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { findDuplicateMember } from '../../src/contract/inspect-json.ts';
import { INT64_MIN, Int64 } from '../../src/contract/int64.ts';
import { isJsonObject, parseJson, parseJsonBy, stringifyJson } from '../../src/contract/json.ts';
import { anyCharacter } from '../support/arbitraries.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Values as `parseJson` yields them: integers that a double holds are numbers, longer ones bigints. */
const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: anyCharacter }),
    fc.maxSafeInteger(),
    int64.filter((value) => !Number.isSafeInteger(Number(value))),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('JSON', () => {
  it('comes back as it was written, long integers included', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(parseJson(stringifyJson(value, indent))).toEqual(value);
      }),
    );
  });

  it('is read as the native parser reads it where no number is long', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        fc.pre(!/[\d.]{16}|\d[eE]/.test(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', '{', '[1,]', "{'a':1}", '[9007199254740993', '{"a":01234567890123456789}', '1e5 x'])(
    '%j is refused',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );
});

it('a number of millions of digits is refused by every schema without being computed', () => {
  const start = performance.now();
  const value = parseJson(`[${'1'.repeat(4_000_000)}]`);
  expect(v.safeParse(v.array(Int64), value).success).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});

describe('JSON parsed by a schema', () => {
  const Numbers = v.object({ id: Int64, name: v.string() });
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][-+]?\d{1,3})?$/);

  it('is what the parsed text is by the schema, whatever the number', () => {
    fc.assert(
      fc.property(digits, fc.constantFrom('Rex', 'Rex 1.5', '2e5'), (id, name) => {
        const text = `{"id":${id},"name":"${name}"}`;
        expect(parseJsonBy(text, Numbers)).toEqual(v.safeParse(Numbers, parseJson(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['9007199254740991', 9007199254740991n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', INT64_MIN],
    ['9223372036854775808', undefined],
    ['1.00000000000000001', undefined],
    ['1e-400', undefined],
    ['1E2', 100n],
  ])('%s is %s', (id, expected) => {
    const { success, output } = parseJsonBy(`{"id":${id},"name":""}`, Numbers);
    expect(success ? output.id : undefined).toBe(expected);
  });

  it('throws for what is not JSON', () => {
    expect(() => parseJsonBy('{"id":', Numbers)).toThrow(SyntaxError);
    expect(() => parseJsonBy('{"id":1.5', Numbers)).toThrow(SyntaxError);
  });
});

describe('a member given twice', () => {
  it.each([
    ['{"name":"a","name":"b"}', 'name'],
    ['{"name":"a","name":"a"}', 'name'],
    ['{"name":"a","n\\u0061me":"b"}', 'name'],
    ['[{"a":{"b":1,"b":1}}]', 'b'],
    ['{"name":"a","categoryId":1}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":{"a":1}}', undefined],
    ['{"__proto__":1,"__proto__":1}', '__proto__'],
  ])('%s: %s', (text, member) => {
    expect(findDuplicateMember(text)).toBe(member);
  });
});

describe('digits are kept at the edges of what a double holds', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['1234567890.1234567', 1234567890.1234567],
    ['1e2', 100],
    ['1E2', 100],
    [`1${'0'.repeat(99)}`, 10n ** 99n],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it.each(['1e400', '1E400', '0.12345678901234567890', `1${'0'.repeat(100)}`])(
    '%s is not rounded to a number',
    (text) => {
      expect(typeof parseJson(text)).toBe('object');
    },
  );

  it('of a member given twice the last value counts, beside long numbers too', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":1,"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
  });
});

describe('what was an object in its text', () => {
  it.each([
    ['{}', true],
    ['{"a":1}', true],
    ['[]', false],
    ['null', false],
    ['1', false],
    ['"{}"', false],
    ['1e400', false],
  ])('%s: %s', (text, expected) => {
    expect(isJsonObject(parseJson(text))).toBe(expected);
  });
});

it('what has no JSON is written as null', () => {
  expect(stringifyJson(undefined)).toBe('null');
});
