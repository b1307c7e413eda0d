import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findDuplicateMember,
  findJsonMistake,
  findMemberOffset,
} from '../../src/contract/inspect-json.ts';

describe('places in JSON text', () => {
  it.each([
    ['{"a" 1}', { offset: 5, reason: 'not JSON: colon expected' }],
    ['{"a":1', { offset: 6, reason: 'not JSON: close brace expected' }],
    ['{"a":1,}', { offset: 7, reason: 'not JSON: property name expected' }],
    ['{"a":1} // no', { offset: 8, reason: 'not JSON: invalid comment token' }],
  ])('%s stops being JSON where a person would look', (text, mistake) => {
    expect(findJsonMistake(text)).toEqual(mistake);
  });

  it('finds a member by its name, and none of another', () => {
    expect(findMemberOffset('{"a": 1, "b": 2}', 'b')).toBe(9);
    expect(findMemberOffset('{"a": 1}', 'b')).toBeUndefined();
    expect(findMemberOffset('[1]', 'b')).toBeUndefined();
    expect(findMemberOffset('', 'b')).toBeUndefined();
    expect(findMemberOffset('{"a": {"c": 1}}', 'a', 'c')).toBe(7);
    expect(findMemberOffset('{"b": {"a": 1}, "c": "a", "a": 1}', 'a')).toBe(26);
    expect(findMemberOffset('[{"b": 1}]', 'b')).toBeUndefined();
  });

  it('finds the last member of a path that is there', () => {
    expect(findMemberOffset('{"b": 1, "a": {"c": 1}}', 'a', 'd')).toBe(9);
    expect(findMemberOffset('{"b": 1, "a": [{"c": 1}]}', 'a', '0', 'c')).toBe(9);
    expect(findMemberOffset('{"a": 1, "b": {"c": 1}}', 'a', 'c')).toBe(1);
  });
});

it('of JSON that has no mistake only that it was refused is said', () => {
  expect(findJsonMistake('{"a":1}')).toEqual({ offset: 0, reason: 'not JSON' });
});

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

describe('what is nested deeper than a parser can follow', () => {
  it.each([
    ['{"a":', '}'],
    ['{"a":{"b":[{}, [],[[]]]},\n"b":', ''],
    ['', ' nothing'],
  ])('has its mistake where it becomes too deep: after %s', (before, after) => {
    const levels = before === '' ? 0 : 1;
    expect(findJsonMistake(before + deep + after)).toEqual({
      offset: before.length + 1_000 - levels,
      reason: 'too deeply nested',
    });
  });

  it.each([
    [`{"x" 1, "a":${deep}}`, { offset: 5, reason: 'not JSON: colon expected' }],
    [`[1 2, ${deep}]`, { offset: 3, reason: 'not JSON: comma expected' }],
    [`{"a":[1,],"b":${deep}}`, { offset: 8, reason: 'not JSON: value expected' }],
    [`{"a":1}${deep}`, { offset: 7, reason: 'not JSON: end of file expected' }],
  ])('after an earlier mistake has that one: case %#', (text, mistake) => {
    expect(findJsonMistake(text)).toEqual(mistake);
  });

  it('does not end the parser by brackets that do not match', () => {
    const unit = fc.array(fc.constantFrom(...'{}[],:1', '"a"'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(unit, (tokens) => {
        const { offset } = findJsonMistake(tokens.join(' ').repeat(5_000));
        expect(offset).toBeLessThan(15_000);
      }),
    );
    expect(findJsonMistake('[},'.repeat(100_000))).toEqual({
      ...{ offset: 1, reason: 'not JSON: value expected' },
    });
  });

  it('is more than a thousand levels', () => {
    const nest = (levels: number) => `${'[{"a":'.repeat(levels / 2)}7${'}]'.repeat(levels / 2)}`;
    expect(findJsonMistake(nest(1_000))).toEqual({ offset: 0, reason: 'not JSON' });
    expect(findJsonMistake(nest(1_002))).toEqual({ offset: 3_000, reason: 'too deeply nested' });
  });

  it('has members that are found', () => {
    expect(findMemberOffset(`{"a":${deep},"b":1}`, 'a')).toBe(1);
    expect(findMemberOffset(`{"a":${deep},"b":1}`, 'b')).toBe(200_006);
  });
});

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

  it('is found after any number of levels', () => {
    expect(findDuplicateMember(`{"x":${deep},"x":1}`)).toBe('x');
  });
});
