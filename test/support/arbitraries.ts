import fc from 'fast-check';
import * as v from 'valibot';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import { type NewPet, PetName, petStatuses } from '../../src/contract/pet.ts';

/** Any valid pet, its status given. */
export function anyNewPet(): fc.Arbitrary<Required<NewPet>> {
  return fc.record({
    name: fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => v.is(PetName, name)),
    categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    status: fc.constantFrom(...petStatuses),
  });
}
