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

const HALVES = { first: 0xd800, count: 2_048 };

/**
 * Any character but halves of one, as a unit of `fc.string`, which also builds its dangerous strings of it. The unit
 * 'binary' is the same, but makes a table of all of them in each worker.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - HALVES.count })
  .map(
    (at) => String.fromCodePoint(at < HALVES.first ? at : at + HALVES.count),
    (text) => {
      const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
      if (code < 0 || String.fromCodePoint(code) !== text) throw new TypeError('not a character');
      return code < HALVES.first ? code : code - HALVES.count;
    },
  );
