import { UserError } from '../errors.ts';
import type { Context } from './context.ts';
import { formatShellLine } from './shell-line.ts';

/** A write that is about to be sent. */
export interface PlannedWrite {
  /** For the question, such as `Add "Rex"`. */
  action: string;
  /** The words of the command line that would do it, `petstore` and verb first, without environment and confirmation. */
  words: readonly string[];
}

/**
 * The one place every write passes: an unprotected environment is free, a protected one is confirmed
 * by a person on a terminal, elsewhere by naming it now *and* by --confirm. What `env use` remembers never authorises.
 * @throws UserError `cli_confirmation_required` or `cli_declined`.
 */
export async function confirmWrite(context: Context, write: PlannedWrite): Promise<void> {
  const target = context.environments.target();
  const { confirm } = context.options;
  if (confirm !== undefined && confirm !== target.name) {
    throw refuse(context, write, `--confirm names ${confirm}, but this would go to ${target.name}`);
  }
  if (!target.protected) return;
  const isNamed = ['flag', 'variable'].includes(context.environments.selected().source.kind);
  if (confirm === target.name && isNamed) return;
  if (!context.terminal.canAsk) {
    throw refuse(context, write, `${target.name} is protected: a write to it must be confirmed`);
  }
  const isWanted = await context.prompt.askConfirm(
    `${write.action} to ${target.name} (${target.url})?`,
  );
  if (!isWanted) throw new UserError('cli_declined', 'Not confirmed; nothing was sent');
}

function refuse({ environments }: Context, { words }: PlannedWrite, message: string): UserError {
  const { name } = environments.target();
  return new UserError('cli_confirmation_required', message, {
    next: [
      formatShellLine([...words.slice(0, 2), '--env', name, '--confirm', name, ...words.slice(2)]),
    ],
  });
}
