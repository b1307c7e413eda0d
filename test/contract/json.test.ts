import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { findDuplicateMember } from '../../src/contract/inspect-json.ts';
import { Int64 } from '../../src/contract/int64.ts';
import { parseJson, stringifyJson } from '../../src/contract/json.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Values as `parseJson` yields them: integers that a double holds are numbers, longer ones bigints. */
const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: 'binary' }),
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
