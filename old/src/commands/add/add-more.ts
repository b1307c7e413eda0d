import type { NewPet } from '../../contract/pet.ts';
import type { Context } from '../../program/context/context.ts';
import { PromptClosedError } from '../../terminal/prompts/prompt.ts';
import { isMachineFormat } from '../../terminal/terminal.ts';
import { checkName } from './ask-for-pet.ts';

/** Whether somebody who was asked for a name is asked for another: a script reads the output of one add. */
export function canAddMore({ terminal }: Context): boolean {
  return terminal.canAsk && !isMachineFormat(terminal.format);
}

/** Asks for further pets of the same category and status until Enter alone. @param add adds one. */
export async function addMore(
  { prompt }: Context,
  pet: NewPet,
  add: (pet: NewPet) => Promise<void>,
): Promise<void> {
  const { categoryId, status } = pet;
  const same = [`category ${categoryId}`, ...(status ? [status] : [])].join(', ');
  const message = `Another? name, or Enter to stop (${same}):`;
  let added = 1;
  try {
    while (true) {
      const name = await prompt.askText(message, { check: checkOtherName });
      if (name.trim() === '') return;
      await add({ ...pet, name });
      added += 1;
    }
  } catch (error) {
    if (!(error instanceof PromptClosedError)) throw error;
    const pets = added === 1 ? '1 pet was' : `${added} pets were`;
    throw new PromptClosedError(`Stopped; ${pets} added.`, { next: error.next, cause: error });
  }
}

function checkOtherName(typed: string): string | undefined {
  return typed.trim() === '' ? undefined : checkName(typed);
}
