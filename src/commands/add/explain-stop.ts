import type { Environment } from '../../config/environments.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context.ts';
import { listWords } from '../../terminal/typed-lines.ts';
import { buildAddLine } from './add-line.ts';
import type { Draft } from './collect-pet.ts';

interface Stopped {
  readonly context: Context;
  readonly environment: Environment;
  /** How many pets were added before. */
  readonly count: number;
  /** What was typed of the next one. */
  readonly draft: Draft;
}

/** A question that was left or answered with no: says what was added, and offers the line that goes on. */
export function explainStop(
  error: unknown,
  { context, environment, count, draft }: Stopped,
): unknown {
  const isStop =
    error instanceof UserError && ['cli_interrupted', 'cli_declined'].includes(error.code);
  if (!isStop) return error;
  return new UserError(error.code, `Stopped; ${countPets(count)} added.`, {
    outcome: count > 0 ? 'applied' : 'not_sent',
    try: draft.name === undefined ? [] : [buildAddLine(context, environment, draft)],
  });
}

function countPets(count: number): string {
  if (count === 0) return 'nothing was';
  return count === 1 ? '1 pet was' : `${count} pets were`;
}

/** Pets that were pasted and are not added stand nowhere else. */
export function nameNotAdded({ terminal }: Context, pets: readonly Draft[]): void {
  if (pets.length === 0) return;
  terminal.notice(`Not added: ${listWords(pets.map(({ name }) => JSON.stringify(name)))}.`);
}
