import { UserError } from '../../errors.ts';
import type { JournalState } from '../../import/staging/journal-state.ts';
import type { Context } from '../../program/context/context.ts';
import { confirmWrite } from '../shared/confirm-write.ts';
import type { CheckedImport } from './checked-import.ts';
import { rerunWords } from './format-import-line.ts';

/** Phase 2: says what is about to happen, and asks where somebody can answer. @throws UserError when the answer is no. */
export async function confirmImport(
  context: Context,
  checked: CheckedImport,
  { added, others }: JournalState,
): Promise<void> {
  const { terminal, environments, prompt, options } = context;
  const { name, url, protected: isProtected } = environments.target();
  const left = checked.options.fresh
    ? checked.check.rows
    : checked.check.rows - added - others.size;
  if (left === 0) return;
  const pets = `${left} ${left === 1 ? 'pet' : 'pets'}`;
  terminal.notice(`About to add ${pets} to ${name} (${url})`, {
    environment: name,
    url,
    rows: left,
  });
  await confirmWrite(context, {
    action: `Add ${pets}`,
    words: rerunWords(
      checked,
      checked.options.fresh ? 'fresh' : checked.options.resume ? 'resume' : undefined,
    ),
    mustTypeName: true,
  });
  if (isProtected || !terminal.canAsk || options.confirm === name) return;
  if (!(await prompt.askConfirm(`Add ${pets} to ${name}?`)))
    throw new UserError('cli_declined', 'Not confirmed; nothing was sent');
}
