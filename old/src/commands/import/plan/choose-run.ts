import { UserError } from '../../../errors.ts';
import type { Imports, RunningImport, StartedImport } from '../../../import/staging/imports.ts';
import type { Context } from '../../../program/context/context.ts';
import { formatShellLine } from '../../../terminal/text/shell-line.ts';
import { checkService } from '../../shared/check-service.ts';
import { listTargetWords } from '../../shared/target.ts';
import { formatImportLine, rerunWords } from '../format-import-line.ts';
import type { ImportPlan } from './plan-import.ts';

/** What is done with the staged rows. */
export interface RunChoice {
  isNew: boolean;
  /** Whether a person agreed to send its rows. */
  isAgreed?: boolean;
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
    if (!options.fresh) refuseSameService(context, imports, plan);
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
    throw refuseKnown(
      context,
      plan,
      `was imported before: ${far} were added`,
      rejected + unknown > 0,
    );
  if (isFinished && rejected + unknown === 0) {
    context.terminal.notice(`Nothing is left to do: all ${added} pets were added.`, { added });
    return undefined;
  }
  if (staging === undefined)
    throw refuseKnown(context, plan, 'was imported before, but its staged rows are gone', false);
  const isAgreed = !isResume && added + rejected + unknown > 0;
  if (isAgreed) await askToResume(context, plan, `was started but not finished: ${far} are added`);
  return { isNew: false, isAgreed, open: () => ({ record, counts, staging }) };
}

/** @throws UserError when nobody can be asked, or the response is no. */
async function askToResume(context: Context, plan: ImportPlan, progress: string): Promise<void> {
  const question = `The import of ${plan.name} ${progress}. Resume it?`;
  if (context.terminal.canAsk) {
    await checkService(context);
    if (await context.prompt.askConfirm(question)) return;
  }
  throw refuseKnown(context, plan, progress, true);
}

/** Two environments with one base URL are one service: there the pets of the file are already. */
function refuseSameService(context: Context, imports: Imports, plan: ImportPlan): void {
  const other = imports.findElsewhere(plan.subject);
  if (other === undefined) return;
  const { environment, url, finishedAt, added, rows } = other;
  const far =
    finishedAt === null
      ? 'was started but not finished'
      : `was imported before: ${added} of ${rows} pets were added`;
  const resumed = rerunWords({ ...plan, subject: other }, 'resume');
  const words = [...resumed, ...listTargetWords(context, environment)];
  throw new UserError('cli_import_exists', `${plan.name} ${far}`, {
    details: [
      `into ${environment} · ${url}`,
      `which is the same service as ${plan.subject.environment}`,
      ABOUT_FRESH,
    ],
    next: finishedAt === null ? [formatShellLine(words)] : [],
  });
}

/** Explained, and never a line to paste: it cannot be undone. */
const ABOUT_FRESH =
  '--fresh would add all its pets a second time, and pets cannot be removed once added';

function refuseKnown(
  context: Context,
  plan: ImportPlan,
  what: string,
  canResume: boolean,
): UserError {
  const { environment, url } = plan.subject;
  return new UserError('cli_import_exists', `${plan.name} ${what}`, {
    details: [`into ${environment} · ${url}`, ABOUT_FRESH],
    next: canResume ? [formatImportLine(context, plan, 'resume')] : [],
  });
}
