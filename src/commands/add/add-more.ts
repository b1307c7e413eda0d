import { parseInt64 } from '../../contract/int64.ts';
import type { NewPet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { checkName } from './ask-pet.ts';

/** Asks for more pets like the first one, until Enter. A number in place of a name is another category. */
export async function addMore(
  { prompts }: Context,
  first: NewPet,
  add: (pet: NewPet) => Promise<void>,
): Promise<void> {
  const added = [first];
  let { categoryId } = first;
  try {
    for (;;) {
      const typed = await prompts.askText(formatQuestion(categoryId), { check: checkAnother });
      const name = typed.trim();
      if (name === '') return;
      const pet = { ...first, name, categoryId };
      const category = parseInt64(name);
      if (category !== undefined) {
        categoryId = category;
      } else if (!isRepeated(pet, added) || (await prompts.askConfirm(formatDoubt(pet), false))) {
        await add(pet);
        added.push(pet);
      }
    }
  } catch (error) {
    throw countAdded(error, added.length);
  }
}

function formatQuestion(categoryId: bigint): string {
  return `Another? Name, or Enter to stop (a number replaces category ${categoryId})`;
}

function formatDoubt({ name, categoryId }: NewPet): string {
  return `${JSON.stringify(name)} was just added to category ${categoryId}. Add another one?`;
}

function isRepeated(pet: NewPet, added: readonly NewPet[]): boolean {
  return added.some(({ name, categoryId }) => name === pet.name && categoryId === pet.categoryId);
}

function checkAnother(typed: string): string | undefined {
  return typed.trim() === '' ? undefined : checkName(typed);
}

function countAdded(error: unknown, count: number): unknown {
  if (!(error instanceof UserError) || error.code !== 'cli_interrupted') return error;
  const pets = count === 1 ? '1 pet was' : `${count} pets were`;
  return new UserError('cli_interrupted', `Stopped; ${pets} added.`, { outcome: 'applied' });
}
