import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { describeIssues } from '../../src/contract/error.ts';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import { parseJson } from '../../src/contract/json.ts';
import { encodeNewPet, encodePet, NewPet, Pet, Pets, petStatuses } from '../../src/contract/pet.ts';

function complaintOf(schema: v.GenericSchema, input: unknown): string {
  const result = v.safeParse(schema, input);
  return result.success ? 'accepted' : describeIssues(result.issues);
}

// What is refused of a new pet is in test/service/refusals.test.ts, where a client sees it.
it.each([
  ['a', 255, 'accepted'],
  ['a', 256, 'name: must be at most 255 characters'],
  ['😀', 255, 'accepted'],
  ['😀', 256, 'name: must be at most 255 characters'],
])('a name of %s %i times: %s', (character, times, complaint) => {
  expect(complaintOf(NewPet, { name: character.repeat(times), categoryId: 1 })).toBe(complaint);
});

describe('a Pet', () => {
  const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

  it('written by encodePet is the one that was given', () => {
    const pet = fc.record(
      {
        ...{ id: int64, categoryId: int64, name: fc.string({ unit: 'binary' }) },
        status: fc.constantFrom(...petStatuses),
      },
      { requiredKeys: ['id', 'name', 'categoryId'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(pet, (value) => {
        expect(v.parse(Pet, parseJson(encodePet(value)))).toEqual(value);
      }),
    );
  });

  it('keeps what another implementation stored, and drops what the contract does not name', () => {
    const text = '{"id":1,"name":"\\u001b[2J","categoryId":2,"color":"red"}';
    expect(v.parse(Pet, parseJson(text))).toEqual({ id: 1n, name: '\u001b[2J', categoryId: 2n });
  });

  it('without a status is written without one', () => {
    expect(encodeNewPet({ name: '"W"', categoryId: INT64_MAX })).toBe(
      '{"name":"\\"W\\"","categoryId":9223372036854775807}',
    );
  });
});

it.each([
  [Pets, {}, 'must be a JSON array'],
  [Pets, ['Rex'], '0: must be a JSON object'],
  [Pet, { id: 1, name: 7, categoryId: 2 }, 'name: must be a string'],
  [NewPet, { name: 'Rex', categoryId: 7, '\u001b[2J': 1 }, /^"\\u001b\[2J": is not a field/],
  [NewPet, { name: 'Rex', categoryId: 7, ' a': 1 }, /^" a": is not a field/],
  [NewPet, { name: 'Rex', categoryId: 7, ['x'.repeat(101)]: 1 }, /^x{100}…: is not a field/],
])(
  '%# a value that does not follow its schema is described by its field',
  (schema, value, words) => {
    expect(complaintOf(schema, value)).toMatch(words);
  },
);
