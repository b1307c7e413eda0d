import type { NewPet } from '../../contract/pet.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';

/** The words that add a pet, without environment and confirmation. */
export function rerunWords(
  { name, categoryId, status }: NewPet,
  idempotencyKey?: string,
): string[] {
  const key = idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey];
  const options = ['--category', String(categoryId), ...(status ? ['--status', status] : [])];
  return name.startsWith('-')
    ? ['petstore', 'add', ...key, ...options, '--', name]
    : ['petstore', 'add', ...key, name, ...options];
}

/** The line that repeats this add without a second pet. It names the environment, so that it means the same tomorrow. */
export function formatRerun(context: Context, pet: NewPet, idempotencyKey: string): string {
  const { name, protected: isProtected } = context.environments.target();
  const confirm = isProtected ? ['--confirm', name] : [];
  return formatAdd(context, rerunWords(pet, idempotencyKey), confirm);
}

/** The line that adds a pet of which nothing arrived, as it would be typed. */
export function formatRepeat(context: Context, pet: NewPet): string {
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
