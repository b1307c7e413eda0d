import type { Environment } from '../../config/environments.ts';
import type { CommandLine } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { listTypedOptions } from '../../program/next-lines.ts';
import type { Draft } from './collect-pet.ts';

/** The line that adds this pet, or asks for what it has not. @param key makes it safe to run where the outcome is unknown. */
export function buildAddLine(
  context: Context,
  environment: Environment,
  { name, categoryId, status }: Draft,
  key?: string,
): CommandLine {
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
  return ['petstore', 'add', ...rest];
}

/** The line that looks whether a pet was added. */
export function buildLookUpLine(
  { options }: Context,
  { name }: Environment,
  pet: Draft,
): CommandLine {
  const { confirm: _, ...others } = options;
  const end = ['--env', name, ...listTypedOptions(others)];
  return ['petstore', 'list', '--newest', ...end, '--', String(pet.name)];
}
