import { UserError } from '../../errors.ts';
import type { Imports, RunningImport, StartedImport } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { formatImportLine } from './format-import-line.ts';
import type { ImportPlan } from './plan-import.ts';

/** What is done with the staged rows. */
export interface RunChoice {
  isNew: boolean;
  /** Makes it the import whose rows are sent. */
  open(): RunningImport;
}

/**
 * Decides by what earlier runs of the same content into the same place have left. Undefined when nothing is left to do.
 * @throws UserError `cli_import_exists` where a flag has to say whether to resume or to add everything again.
 */
export async function chooseRun(
  context: Context,
  imports: Imports,
  plan: ImportPlan,
): Promise<RunChoice | undefined> {
  const { options, subject, known, draft } = plan;
  if (draft !== undefined && (options.fresh || known === undefined)) {
    if (options.resume) context.terminal.notice('There is nothing to resume; starting.');
    return { isNew: true, open: () => imports.start(draft, subject, known) };
  }
  return known && (await chooseKnown(context, plan, known));
}

async function chooseKnown(
  context: Context,
  plan: ImportPlan,
  { record, counts, staging }: StartedImport,
): Promise<RunChoice | undefined> {
  const { added, rejected, unknown } = counts;
  const isResume = plan.options.resume !== undefined;
  const isFinished = record.finishedAt !== null;
  const far = `${added} of ${plan.subject.rows} pets`;
  if (isFinished && !isResume)
    throw refuse(context, plan, `was imported before: ${far} were added`, ['fresh']);
  if (isFinished && rejected + unknown === 0) {
    context.terminal.notice(`Nothing is left to do: all ${added} pets were added.`, { added });
    return undefined;
  }
  if (staging === undefined)
    throw refuse(context, plan, 'was imported before, but its staged rows are gone', ['fresh']);
  if (!isResume && added + rejected + unknown > 0)
    await askToResume(context, plan, `was started but not finished: ${far} are added`);
  return { isNew: false, open: () => ({ record, counts, staging }) };
}

/** @throws UserError when nobody can be asked, or the response is no. */
async function askToResume(context: Context, plan: ImportPlan, progress: string): Promise<void> {
  const question = `The import of ${plan.name} ${progress}. Resume it?`;
  if (context.terminal.canAsk && (await context.prompt.askConfirm(question))) return;
  throw refuse(context, plan, progress, ['resume', 'fresh']);
}

function refuse(
  context: Context,
  plan: ImportPlan,
  what: string,
  flags: readonly ('resume' | 'fresh')[],
): UserError {
  const { environment, url } = plan.subject;
  return new UserError('cli_import_exists', `${plan.name} ${what}`, {
    details: [`into ${environment} · ${url}`, 'to add its pets again, all of them: --fresh'],
    next: flags.map((flag) => formatImportLine(context, plan, flag)),
  });
}
