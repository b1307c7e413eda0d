import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { dictionary } from '../../../src/config/files/dictionary.ts';

const Names = dictionary(v.string(), /^[a-z]+$/);

describe('an object with any keys that fit', () => {
  it('keeps every one, and inherits nothing', () => {
    const text = '{"constructor":"a","prototype":"b"}';
    const read = v.parse(Names, JSON.parse(text));
    expect(JSON.stringify(read)).toBe(text);
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect(v.is(dictionary(v.string()), { '': 'any key', '1': 'unless one is asked for' })).toBe(
      true,
    );
  });

  it.each([null, [], 'text', 7, undefined])('is not %j', (value) => {
    expect(v.is(Names, value)).toBe(false);
  });

  it('names the key that does not fit, and the place of the value that does not', () => {
    const issuesOf = (value: unknown) =>
      v
        .safeParse(dictionary(v.object({ a: v.string() }), /^[a-z]+$/), value)
        .issues?.map((issue) => ({
          ...{ expected: issue.expected, received: issue.received },
          path: issue.path?.map(({ key }) => key),
        }));
    expect(issuesOf({ b: { a: 'x' } })).toBeUndefined();
    expect(issuesOf({ B: { a: 'x' } })).toEqual([
      { expected: '/^[a-z]+$/', received: '"B"', path: ['B'] },
    ]);
    expect(issuesOf({ b: { a: 1 }, c: 2 })).toEqual([
      { expected: 'string', received: '1', path: ['b', 'a'] },
      { expected: 'Object', received: '2', path: ['c'] },
    ]);
  });
});
