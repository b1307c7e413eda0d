import * as v from 'valibot';
import { parseInt64 } from '../../contract/int64.ts';
import { DEFAULT_STATUS, PetName, petStatuses } from '../../contract/pet.ts';
import type { PartialNewPet } from '../../import/read/read-new-pet.ts';
import type { Context } from '../../program/context/context.ts';
import { showUnsafe } from '../../terminal/text/safe-text.ts';
import { listRecentCategories } from './recent-adds.ts';

const OTHER = 'another';

/** Prompts for just what is missing, the status too: nobody at a prompt should have to guess the default. */
export async function askForPet(context: Context, given: PartialNewPet): Promise<PartialNewPet> {
  const { prompt } = context;
  const name = given.name ?? (await prompt.askText('Name', checkName));
  const categoryId = given.categoryId ?? (await askCategory(context));
  const status = given.status ?? (await prompt.askChoice('Status', petStatuses, DEFAULT_STATUS));
  return { name, categoryId, status };
}

async function askCategory(context: Context): Promise<bigint> {
  const { prompt } = context;
  const recent = listRecentCategories(context);
  const choice =
    recent.length === 0 ? OTHER : await prompt.askChoice('Category', [...recent, OTHER]);
  const typed = choice === OTHER ? await prompt.askText('Category number', checkCategory) : choice;
  return parseInt64(typed.trim()) ?? (await askCategory(context));
}

function checkName(typed: string): string | undefined {
  const result = v.safeParse(PetName, typed);
  return result.success ? undefined : `The name ${showUnsafe(result.issues[0].message)}`;
}

function checkCategory(typed: string): string | undefined {
  return parseInt64(typed.trim()) === undefined
    ? 'A category is a whole number, such as 7'
    : undefined;
}
