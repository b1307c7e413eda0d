import { type Categories, formatCategory } from '../../config/categories.ts';
import { DEFAULT_STATUS, type NewPet } from '../../contract/pet.ts';
import { showUnsafe } from '../../terminal/safe-text.ts';

/** `"Goldie", category 7, available`. */
export function describePet(
  { name, categoryId, status = DEFAULT_STATUS }: NewPet,
  categories: Categories,
): string {
  return showUnsafe(`"${name}", category ${formatCategory(categories, categoryId)}, ${status}`);
}
