import { UserError } from '../../errors.ts';
import type { JournalState } from '../../import/staging/journal-state.ts';
import type { Context } from '../../program/context/context.ts';
import type { CheckedImport } from './checked-import.ts';
import { formatImportLine } from './format-import-line.ts';

/** Go on with the run in the journal, begin one, or nothing is left to do. */
export type RunChoice = 'resume' | 'begin' | 'done';

/**
 * Decides by what earlier runs of the same content into the same place have left.
 * @throws UserError `cli_import_exists` where going on or beginning anew has to be said by a flag.
 */
export async function chooseRun(
  context: Context,
  state: JournalState,
  checked: CheckedImport,
): Promise<RunChoice> {
  const { options, file, check } = checked;
  const { header, added, others } = state;
  if (options.fresh) return 'begin';
  if (header === undefined) return begin(context, options.resume ?? false);
  if (header.format !== file.format || header.rows !== check.rows)
    throw refuse(context, checked, 'was begun with other rows or another --format', ['fresh']);
  if (state.isComplete) return await chooseAfterEnd(context, state, checked);
  if (options.resume || added + others.size === 0) return 'resume';
  const far = `was begun and not finished: ${added} of ${check.rows} pets are added`;
  if (!context.terminal.canAsk) throw refuse(context, checked, far, ['resume', 'fresh']);
  const question = `The import of ${file.name} ${far}. Go on with it?`;
  if (await context.prompt.askConfirm(question)) return 'resume';
  throw refuse(context, checked, far, ['resume', 'fresh']);
}

function begin({ terminal }: Context, isResume: boolean): RunChoice {
  if (isResume) terminal.notice('There is nothing to resume; beginning.');
  return 'begin';
}

/** A repeated `--resume` is how scripts make sure; without it the same file again would be every pet twice. */
async function chooseAfterEnd(
  context: Context,
  { added, others }: JournalState,
  checked: CheckedImport,
): Promise<RunChoice> {
  if (!checked.options.resume) {
    const far = `was imported before: ${added} of ${checked.check.rows} pets were added`;
    throw refuse(context, checked, far, ['fresh']);
  }
  if (others.size > 0) return 'resume';
  context.terminal.notice(`Nothing is left to do: all ${added} pets were added.`, { added });
  return 'done';
}

function refuse(
  context: Context,
  checked: CheckedImport,
  what: string,
  flags: readonly ('resume' | 'fresh')[],
): UserError {
  const { name, url } = context.environments.target();
  const consequence = 'to add its pets again, all of them: --fresh';
  return new UserError('cli_import_exists', `${checked.file.name} ${what}`, {
    details: [`into ${name} · ${url}`, ...(flags.includes('fresh') ? [consequence] : [])],
    next: flags.map((flag) => formatImportLine(context, checked, flag)),
  });
}
