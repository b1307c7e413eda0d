import * as v from 'valibot';
import { containsApiKey } from '../../contract/api-key.ts';
import { parseInt64 } from '../../contract/int64.ts';
import { DEFAULT_STATUS, PetName, petStatuses } from '../../contract/pet.ts';
import type { PartialNewPet } from '../../import/read/read-new-pet.ts';
import type { Context } from '../../program/context/context.ts';
import { showUnsafe } from '../../terminal/text/safe-text.ts';
import { keepTyped } from './rerun-line.ts';

/** Prompts for just what is missing, the status too: nobody at a prompt should have to guess the default. */
export async function askForPet(
  context: Context,
  given: PartialNewPet,
  listRecentCategories: () => Promise<string[]>,
): Promise<PartialNewPet> {
  const { prompt } = context;
  const pet = { ...given };
  const ask = async () => {
    pet.name ??= await prompt.askText('Name', { check: checkName });
    pet.categoryId ??= await askCategory(context, await listRecentCategories());
    pet.status ??= await prompt.askChoice('Status', petStatuses, DEFAULT_STATUS);
  };
  const isTyped = () => Object.keys(pet).length > Object.keys(given).length;
  await keepTyped(context, () => (isTyped() ? pet : undefined), ask);
  return pet;
}

/** One field: digits are always the number typed, never the row of a menu. */
async function askCategory({ prompt }: Context, recent: readonly string[]): Promise<bigint> {
  const message =
    recent.length < 2 ? 'Category number' : `Category number, last: ${recent.join(', ')}`;
  const typed = await prompt.askText(message, { check: createCategoryCheck(), preset: recent[0] });
  const categoryId = parseInt64(typed.trim());
  if (categoryId === undefined) throw new Error(`Not checked: ${typed}`);
  return categoryId;
}

export function checkName(typed: string): string | undefined {
  if (containsApiKey(typed)) return 'This is an API key, not a name';
  const result = v.safeParse(PetName, typed);
  return result.success ? undefined : `The name ${showUnsafe(result.issues[0].message)}`;
}

/** A number below 1 is valid, but mostly a slip: it is taken when it is entered a second time. */
function createCategoryCheck(): (typed: string) => string | undefined {
  let doubted: bigint | undefined;
  return (typed) => {
    const categoryId = parseInt64(typed.trim());
    if (categoryId === undefined) return 'A category is a whole number, such as 7';
    if (categoryId >= 1n || categoryId === doubted) return undefined;
    doubted = categoryId;
    return `Is ${categoryId} right? Press Enter again to take it`;
  };
}
