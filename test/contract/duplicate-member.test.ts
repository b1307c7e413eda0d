import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateMember } from '../../src/contract/duplicate-member.ts';

describe('a member that is given twice', () => {
  it.each([
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"a":1,"\\u0061":1}', 'a'],
    ['{"a":{"b":1,"b":2}}', 'b'],
    ['[{"a":1},{"b":1,"b":1}]', 'b'],
    ['{"a":["x","x"],"c":"a","a":1}', 'a'],
    ['{"a":{"a":1},"b":{"a":1}}', undefined],
    ['{"a":"b","b":"a"}', undefined],
    ['["a","a"]', undefined],
    ['{"a":"{\\"b\\":1,\\"b\\":2}"}', undefined],
    ['"a"', undefined],
  ])('of %s is %s', (text, expected) => {
    expect(findDuplicateMember(text)).toBe(expected);
  });

  it('is none in anything that was written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findDuplicateMember(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });

  it('is found behind any number of levels', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(findDuplicateMember(`{"x":${deep},"x":1}`)).toBe('x');
  });
});
