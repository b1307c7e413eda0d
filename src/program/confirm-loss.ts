import { UserError } from '../errors.ts';
import type { Context } from './context.ts';

/** Asks on a terminal before what cannot be undone (P18); Enter is no. @throws UserError `cli_declined`. */
export async function confirmLoss(
  { terminal, prompts }: Context,
  question: string,
  whenDeclined = 'Stopped; nothing was removed.',
): Promise<void> {
  if (!terminal.isInteractive || (await prompts.askConfirm(question, false))) return;
  throw new UserError('cli_declined', whenDeclined);
}
