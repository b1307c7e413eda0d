import * as v from 'valibot';
import { isApiKey } from '../../contract/api-key.ts';
import { parseInt64 } from '../../contract/int64.ts';
import { DEFAULT_STATUS, PetName, petStatuses } from '../../contract/pet.ts';
import { explainValue, lostLetters } from '../../input/explain-value.ts';
import type { Context } from '../../program/context.ts';
import type { Prompts } from '../../terminal/prompts.ts';
import type { Draft } from './collect-pet.ts';

const statuses = petStatuses.map((status) => ({ name: status, value: status }));

/** Asks for what is missing. What was typed so far is passed to `keep`, so that leaving a prompt does not lose it. */
export async function askPet(
  { prompts, terminal }: Context,
  given: Draft,
  keep: (draft: Draft) => void,
): Promise<Draft> {
  if (given.name !== undefined && given.categoryId !== undefined) return given;
  terminal.notice('A pet that was added cannot be changed or removed.');
  let draft = given;
  const set = (values: Draft) => {
    draft = { ...draft, ...values };
    keep(draft);
  };
  if (draft.name === undefined) set({ name: await askName(prompts) });
  if (draft.categoryId === undefined) set({ categoryId: await askCategory(prompts) });
  if (draft.status === undefined)
    set({ status: await prompts.askChoice('Status', statuses, DEFAULT_STATUS) });
  return draft;
}

async function askName(prompts: Prompts): Promise<string> {
  return (await prompts.askText('Name', { check: checkName })).trim();
}

async function askCategory(prompts: Prompts): Promise<bigint | undefined> {
  return parseInt64((await prompts.askText('Category number', { check: checkCategory })).trim());
}

/** What is wrong with a name that was typed, in words. */
export function checkName(typed: string): string | undefined {
  const name = typed.trim();
  if (isApiKey(name)) return 'This is an API key, not a name.';
  if (name.includes('\ufffd')) return `The name ${lostLetters}.`;
  return v.is(PetName, name) ? undefined : `The name ${explainValue('name', name)}.`;
}

function checkCategory(typed: string): string | undefined {
  if (parseInt64(typed.trim()) !== undefined) return undefined;
  return `"${typed}" is not a category number: write a whole number such as 7.`;
}
