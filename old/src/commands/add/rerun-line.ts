import type { NewPet } from '../../contract/pet.ts';
import type { PartialNewPet } from '../../import/read/read-new-pet.ts';
import type { Context } from '../../program/context/context.ts';
import { PromptClosedError } from '../../terminal/prompts/prompt.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';

/** The words that add a pet, or ask for the rest of it, without environment and confirmation. */
export function rerunWords(
  { name, categoryId, status }: PartialNewPet,
  idempotencyKey?: string,
): string[] {
  const key = idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey];
  const category = categoryId === undefined ? [] : ['--category', String(categoryId)];
  const options = [...category, ...(status ? ['--status', status] : [])];
  if (name?.startsWith('-')) return ['petstore', 'add', ...key, ...options, '--', name];
  return ['petstore', 'add', ...key, ...(name === undefined ? [] : [name]), ...options];
}

/** The line that repeats this add without a second pet. It names the environment, so that it means the same tomorrow. */
export function formatRerun(context: Context, pet: NewPet, idempotencyKey: string): string {
  const { name, protected: isProtected } = context.environments.target();
  const confirm = isProtected ? ['--confirm', name] : [];
  return formatAdd(context, rerunWords(pet, idempotencyKey), confirm);
}

/** The line that adds a pet of which nothing arrived, as it would be typed; what is missing is asked for. */
export function formatRepeat(context: Context, pet: PartialNewPet): string {
  return formatAdd(context, rerunWords(pet));
}

function formatAdd(
  { environments }: Context,
  words: readonly string[],
  confirm: readonly string[] = [],
): string {
  const { name } = environments.target();
  return formatShellLine([...words.slice(0, 2), '--env', name, ...confirm, ...words.slice(2)]);
}

/** Where the person leaves a prompt, the error has the line with what was typed. @param pet as far as it is known then; undefined where nothing was typed. */
export async function keepTyped<T>(
  context: Context,
  pet: () => PartialNewPet | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const typed = pet();
    if (!(error instanceof PromptClosedError) || typed === undefined) throw error;
    throw new PromptClosedError(error.message, {
      next: [formatRepeat(context, typed)],
      cause: error,
    });
  }
}
