import type { Environment } from '../../config/environments.ts';
import type { Context } from '../../program/context.ts';
import { listTypedOptions } from '../../program/next-lines.ts';
import { formatCommandLine } from '../../terminal/command-line.ts';
import type { Draft } from './collect-pet.ts';

/** The line that adds this pet, or asks for what it has not. @param key makes it safe to run where the outcome is unknown. */
export function formatAddLine(
  context: Context,
  environment: Environment,
  { name, categoryId, status }: Draft,
  key?: string,
): string {
  const options = [
    ...(categoryId === undefined ? [] : ['--category', String(categoryId)]),
    ...(status === undefined ? [] : ['--status', String(status)]),
    ...(key === undefined ? [] : ['--idempotency-key', key]),
    ...['--env', environment.name],
    ...listTypedOptions(context.options),
  ];
  const words = name === undefined ? [] : [String(name)];
  // A name may begin with a dash.
  const isOption = words[0]?.startsWith('-');
  const rest = isOption ? [...options, '--', ...words] : [...words, ...options];
  return formatCommandLine(['petstore', 'add', ...rest]);
}

/** The line that looks whether a pet was added. */
export function formatLookUp({ options }: Context, { name }: Environment, pet: Draft): string {
  const { confirm: _, ...others } = options;
  const end = ['--env', name, ...listTypedOptions(others)];
  return formatCommandLine(['petstore', 'list', '--newest', ...end, '--', String(pet.name)]);
}
