import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { NewPet } from '../../../src/contract/pet.ts';
import { acceptTextValues } from '../../../src/import/read/accept-text-values.ts';
import { describePetIssue, onePerField } from '../../../src/import/read/explain-issue.ts';

const rex = { name: 'Rex', categoryId: 7 };

function explain(changes: Record<string, unknown>): string {
  const result = v.safeParse(NewPet, { ...rex, ...changes }, onePerField);
  return result.success ? 'accepted' : result.issues.map(describePetIssue).join('; ');
}

describe('what is wrong with a row is said in the words of a spreadsheet', () => {
  it.each([
    [{ name: undefined }, 'name: is missing'],
    [{ name: 7 }, 'name: 7 is not a name: write it in quotes'],
    [{ name: '' }, 'name: is empty'],
    [{ name: '  ' }, 'name: is empty'],
    [{ name: '\t' }, 'name: is empty'],
    [{ name: 'x'.repeat(256) }, `name: "${'x'.repeat(39)}…" is longer than 255 characters`],
    [
      { name: `${'\t'.repeat(256)}x` },
      `name: "${'\\t'.repeat(39)}…" is longer than 255 characters`,
    ],
    [{ name: '😀'.repeat(256) }, `name: "${'😀'.repeat(39)}…" is longer than 255 characters`],
    [{ name: 'a\nb' }, 'name: "a\\nb" holds a line break'],
    [{ name: 'a\rb' }, 'name: "a\\rb" holds a line break'],
    [{ name: 'a\tb' }, 'name: "a\\tb" holds a character that cannot be shown'],
    [
      { name: `${'x'.repeat(39)}\t` },
      `name: "${'x'.repeat(39)}\\t" holds a character that cannot be shown`,
    ],
    [
      { name: `${'x'.repeat(254)}\t` },
      `name: "${'x'.repeat(39)}…" holds a character that cannot be shown`,
    ],
    [{ color: 'red' }, 'color: is not a field of a new pet'],
    [{ ' a': 1 }, '" a": is not a field of a new pet'],
  ])('%j: %s', (changes, explanation) => {
    expect(explain(changes)).toBe(explanation);
  });

  const shortened =
    'Excel has shortened it; give the column the format Number, without decimals, and type it again';

  it.each([
    [undefined, 'is missing'],
    ['dog', '"dog" is not a category number: write a whole number such as 7'],
    [1.5, '1.5 is not a category number: write a whole number such as 7'],
    [null, 'null is not a category number: write a whole number such as 7'],
    ['1.23E+15', `"1.23E+15" is not a category number: ${shortened}`],
    ['1,23e15', `"1,23e15" is not a category number: ${shortened}`],
    ['1E+15', `"1E+15" is not a category number: ${shortened}`],
    ['12E+15', '"12E+15" is not a category number: write a whole number such as 7'],
    ['1E+15x', '"1E+15x" is not a category number: write a whole number such as 7'],
    ['1E', '"1E" is not a category number: write a whole number such as 7'],
    [
      '9223372036854775808',
      '"9223372036854775808" is not a category number (the largest is 9223372036854775807)',
    ],
  ])('the category %j %s', (categoryId, explanation) => {
    expect(explain({ categoryId })).toBe(`categoryId: ${explanation}`);
  });

  it.each([
    ['sould', '"sould" is not a status: write available, pending or sold. Did you mean sold?'],
    ['xyz', '"xyz" is not a status: write available, pending or sold'],
    [7, '7 is not a status: write available, pending or sold'],
    [
      ['a', 'long', 'list', 'of', 'words', 'in', 'here'],
      '["a","long","list","of","words","in","h… is not a status: write available, pending or sold',
    ],
  ])('the status %j: %s', (status, explanation) => {
    expect(explain({ status })).toBe(`status: ${explanation}`);
  });
});

describe('values written as text', () => {
  it.each([
    [{ categoryId: '7' }, { categoryId: 7n }],
    [
      { categoryId: ' -7 ', name: 'a' },
      { categoryId: -7n, name: 'a' },
    ],
    [{ status: ' Sold ' }, { status: 'sold' }],
    [
      { categoryId: '7', status: 'PENDING' },
      { categoryId: 7n, status: 'pending' },
    ],
    [
      { categoryId: 'x', status: 'sold' },
      { categoryId: 'x', status: 'sold' },
    ],
    [
      { categoryId: 'x', status: 'lost' },
      { categoryId: 'x', status: 'lost' },
    ],
    [
      { categoryId: 7, status: 1 },
      { categoryId: 7, status: 1 },
    ],
    [{}, {}],
    [null, null],
    ['7', '7'],
  ])('%j becomes %o', (value, accepted) => {
    expect(acceptTextValues(value)).toEqual(accepted);
  });
});
