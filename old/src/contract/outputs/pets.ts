import * as v from 'valibot';
import { Pet } from '../pet.ts';

const Int64Text = v.pipe(v.string(), v.regex(/^-?\d{1,19}$/));

/** A pet with --string-ids. */
export const PetWithStringIds = v.object({
  ...Pet.entries,
  id: Int64Text,
  categoryId: Int64Text,
});

/** A pet with --fields, which chooses members and their order. */
export const PetFields = v.partial(Pet);
