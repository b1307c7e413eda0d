import { describe, expect, it } from 'vitest';
import { findJsonMistake, findMemberOffset } from '../../src/contract/locate-json.ts';

describe('places in JSON text', () => {
  it.each([
    ['{"a" 1}', { offset: 5, reason: 'is not JSON: colon expected' }],
    ['{"a":1', { offset: 6, reason: 'is not JSON: close brace expected' }],
    ['{"a":1,}', { offset: 7, reason: 'is not JSON: property name expected' }],
    ['{"a":1} // no', { offset: 8, reason: 'is not JSON: invalid comment token' }],
  ])('%s stops being JSON where a person would look', (text, mistake) => {
    expect(findJsonMistake(text)).toEqual(mistake);
  });

  it('finds a member by its name, and none of another', () => {
    expect(findMemberOffset('{"a": 1, "b": 2}', 'b')).toBe(9);
    expect(findMemberOffset('{"a": 1}', 'b')).toBeUndefined();
    expect(findMemberOffset('[1]', 'b')).toBeUndefined();
  });
});
