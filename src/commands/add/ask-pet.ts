import * as v from 'valibot';
import { type Categories, readCategory } from '../../config/categories.ts';
import { isApiKey } from '../../contract/api-key.ts';
import { DEFAULT_STATUS, PetName, petStatuses } from '../../contract/pet.ts';
import { explainValue, lostLetters, quoteValue } from '../../input/explain-value.ts';
import type { Prompts } from '../../terminal/prompts.ts';
import type { Draft } from './collect-pet.ts';

const statuses = petStatuses.map((status) => ({ name: status, value: status }));

/** Asks for the category and the status, where they are missing. What was typed is passed to `keep`. */
export async function askKind(
  prompts: Prompts,
  categories: Categories,
  given: Draft,
  keep: (draft: Draft) => void,
): Promise<Draft> {
  let draft = given;
  if (draft.categoryId === undefined) {
    draft = { ...draft, categoryId: await askCategory(prompts, categories) };
    keep(draft);
  }
  if (draft.status === undefined) {
    draft = { ...draft, status: await prompts.askChoice('Status', statuses, DEFAULT_STATUS) };
    keep(draft);
  }
  return draft;
}

async function askCategory(prompts: Prompts, categories: Categories): Promise<bigint> {
  const [name] = categories.names.values();
  const message = name === undefined ? 'Category number' : `Category (a number or a name: ${name})`;
  return await prompts.askText(message, (typed) => {
    const reading = readCategory(categories, typed);
    if ('id' in reading) return { value: reading.id };
    return { problem: `${quoteValue(typed.trim())} ${reading.problem}.`.replace(/\?\.$/, '?') };
  });
}

/** What is wrong with a name that was typed, in words. */
export function checkName(typed: string): string | undefined {
  const name = typed.trim();
  if (isApiKey(name)) return 'This is an API key, not a name.';
  if (name.includes('\ufffd')) return `The name ${lostLetters}.`;
  if (name.includes('\t'))
    return `${quoteValue(name)} has tabs, as rows of a spreadsheet have: save them as a file, and type petstore import with its name.`;
  return v.is(PetName, name) ? undefined : `The name ${explainValue('name', name)}.`;
}
