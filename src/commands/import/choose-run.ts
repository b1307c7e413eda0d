import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { formatImportLine } from './format-import-line.ts';
import type { ImportPlan } from './import-plan.ts';

/** What is done with the staged rows. */
export type RunChoice = 'resume' | 'start' | 'done';

/**
 * Decides by what earlier runs of the same content into the same place have left.
 * @throws UserError `cli_import_exists` where a flag has to say whether to resume or to add everything again.
 */
export async function chooseRun(context: Context, plan: ImportPlan): Promise<RunChoice> {
  const { options, known } = plan;
  if (options.fresh) return 'start';
  if (known === undefined) return start(context, options.resume !== undefined);
  const { added, rejected, unknown } = known.counts;
  const isFinished = known.record.finishedAt !== null;
  const isAllAdded = isFinished && rejected + unknown === 0;
  if (isFinished && !options.resume) {
    const progress = `was imported before: ${added} of ${plan.subject.rows} pets were added`;
    throw refuse(context, plan, progress, ['fresh']);
  }
  if (isAllAdded) {
    context.terminal.notice(`Nothing is left to do: all ${added} pets were added.`, { added });
    return 'done';
  }
  if (known.staging === undefined)
    throw refuse(context, plan, 'was imported before, but its staged rows are gone', ['fresh']);
  if (options.resume || added + rejected + unknown === 0) return 'resume';
  return await askToResume(context, plan, added);
}

function start({ terminal }: Context, isResume: boolean): RunChoice {
  if (isResume) terminal.notice('There is nothing to resume; starting.');
  return 'start';
}

async function askToResume(context: Context, plan: ImportPlan, added: number): Promise<RunChoice> {
  const { terminal, prompt } = context;
  const progress = `was started but not finished: ${added} of ${plan.subject.rows} pets are added`;
  const question = `The import of ${plan.name} ${progress}. Resume it?`;
  if (terminal.canAsk && (await prompt.askConfirm(question))) return 'resume';
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
