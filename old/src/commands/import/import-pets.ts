import path from 'node:path';
import { messageOf, UserError } from '../../errors.ts';
import { type Imports, openImports } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { checkService } from '../shared/check-service.ts';
import { requireWriteKey } from '../shared/require-write-key.ts';
import { announceTarget, confirmWrite } from '../shared/target.ts';
import { openWriteHistory, type WriteHistory } from '../shared/write-history.ts';
import { dryRun } from './dry-run.ts';
import { rerunWords } from './format-import-line.ts';
import { chooseRun } from './plan/choose-run.ts';
import { type ImportCommandOptions, type ImportPlan, planImport } from './plan/plan-import.ts';
import { concludeImport } from './send/conclude-import.ts';
import { type SentImport, sendStaged } from './send/send-staged.ts';

/** Adds a whole file of pets: stages and checks every row, asks, sends. */
export async function importPets(context: Context, options: ImportCommandOptions): Promise<void> {
  await announceTarget(context, { key: !options.dryRun });
  if (options.dryRun) return await dryRun(context, options);
  const imports = openImports(path.join(context.paths.stateFolder, 'imports'), context.clock);
  const history = openWriteHistory(context);
  try {
    await runPlan(context, imports, history, await planImport(context, imports, options));
  } finally {
    imports.close();
    await history.close();
  }
}

async function runPlan(
  context: Context,
  imports: Imports,
  history: WriteHistory,
  plan: ImportPlan,
): Promise<void> {
  requireWriteKey(context);
  const run = await chooseRun(context, imports, plan);
  if (run === undefined) return;
  // Earlier rows are sent: a second copy only takes room on the disk.
  if (!run.isNew) plan.draft?.discard();
  await confirmImport(context, plan, run.isAgreed).catch((error: unknown) => {
    if (run.isNew && mayBeConfirmedLater(plan, error)) run.open();
    throw error;
  });
  const sent = await sendStaged(context, plan, run, history);
  const unfinished = finishRun(context, imports, sent);
  const failure = sent.failure ?? unfinished;
  concludeImport(context, plan, { ...sent, failure });
}

/** Returns why it could not be marked as finished. */
function finishRun({ terminal, clock }: Context, imports: Imports, sent: SentImport): unknown {
  const { isComplete, running, counts } = sent;
  if (!isComplete || running.record.finishedAt !== null) return undefined;
  try {
    const leftover = imports.finish(running, counts, clock());
    if (leftover !== undefined)
      terminal.warn(`The staged rows of this import could not be removed: ${messageOf(leftover)}`);
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Phase 2: says what is about to happen, and asks where somebody can respond. @throws UserError when it is refused. */
async function confirmImport(context: Context, plan: ImportPlan, isAgreed = false): Promise<void> {
  const { terminal, environments, prompt, options } = context;
  const { name, url, protected: isProtected } = environments.target();
  const left = countLeft(plan);
  if (left === 0) return;
  const pets = countPets(left);
  const members = { environment: name, url, rows: left };
  terminal.notice(`About to add ${pets} to ${name} (${url})`, members);
  const flag = plan.options.fresh ? 'fresh' : plan.options.resume ? 'resume' : undefined;
  const words = rerunWords(plan, flag);
  const beforeAsking = () => checkService(context);
  const askFurther = async () => {
    if (isAgreed || isProtected || !terminal.canAsk || options.confirm === name) return;
    await beforeAsking();
    if (!(await prompt.askConfirm(`Add ${pets} to ${name}?`)))
      throw new UserError('cli_declined', 'Not confirmed; nothing was sent');
  };
  const action = `Add ${pets}`;
  await confirmWrite(context, { action, words, mustTypeName: true, beforeAsking, askFurther });
}

function countLeft({ options, subject, known }: ImportPlan): number {
  if (options.fresh || known === undefined) return subject.rows;
  const { added, rejected, unknown } = known.counts;
  return subject.rows - added - rejected - unknown;
}

/** The line that confirms an import from a stream resumes it by its id: nobody can read the stream again. */
function mayBeConfirmedLater({ file, known }: ImportPlan, error: unknown): boolean {
  const isUnconfirmed = error instanceof UserError && error.code === 'cli_confirmation_required';
  return isUnconfirmed && file === undefined && known === undefined;
}

function countPets(count: number): string {
  return `${count} ${count === 1 ? 'pet' : 'pets'}`;
}
