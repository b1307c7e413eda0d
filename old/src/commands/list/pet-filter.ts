import type { Pet } from '../../contract/pet.ts';

/** What the service cannot filter by, so that this program does. */
export interface PetFilter {
  /** Part of the name, ignoring case. */
  name?: string;
  /** Any of these. */
  category?: readonly bigint[];
}

/** Whether a pet passes; undefined when every pet does. */
export function createPetFilter({
  name,
  category,
}: PetFilter): ((pet: Pet) => boolean) | undefined {
  if (name === undefined && category === undefined) return undefined;
  const part = name === undefined ? undefined : foldCase(name);
  const categories = category && new Set(category);
  return (pet) =>
    (part === undefined || foldCase(pet.name).includes(part)) &&
    (categories === undefined || categories.has(pet.categoryId));
}

/** An accent may be written as one character or two, and a capital final sigma has two small forms. */
function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}
