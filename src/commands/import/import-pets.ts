import path from 'node:path';
import { UserError } from '../../errors.ts';
import { type Imports, openImports } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { announceTarget, confirmWrite } from '../shared/target.ts';
import { chooseRun } from './choose-run.ts';
import { concludeImport } from './conclude-import.ts';
import { rerunWords } from './format-import-line.ts';
import { type ImportCommandOptions, type ImportPlan, planImport } from './plan-import.ts';
import { sendStaged } from './send-staged.ts';

/** Adds a whole file of pets: stages and checks every row, asks, sends. */
export async function importPets(context: Context, options: ImportCommandOptions): Promise<void> {
  await announceTarget(context);
  const imports = openImports(path.join(context.paths.stateFolder, 'imports'));
  try {
    const plan = await planImport(context, imports, options);
    if (options.dryRun) reportDryRun(context, plan);
    else await runPlan(context, imports, plan);
  } finally {
    imports.close();
  }
}

function reportDryRun({ terminal, environments }: Context, { subject }: ImportPlan): void {
  const { name, url } = environments.target();
  const { rows } = subject;
  terminal.notice(
    `Dry run: ${countPets(rows)} could be added to ${name} (${url}); nothing was sent.`,
    { environment: name, rows, outcome: 'not_sent' },
  );
}

async function runPlan(context: Context, imports: Imports, plan: ImportPlan): Promise<void> {
  const run = await chooseRun(context, imports, plan);
  if (run === undefined) return;
  await confirmImport(context, plan).catch((error: unknown) => {
    if (run.isNew && mayBeConfirmedLater(plan, error)) run.open();
    throw error;
  });
  const sent = await sendStaged(context, plan, run);
  if (sent.isComplete && sent.running.record.finishedAt === null)
    imports.finish(sent.running, sent.counts, context.clock());
  concludeImport(context, plan, sent);
}

/** Phase 2: says what is about to happen, and asks where somebody can respond. @throws UserError when it is refused. */
async function confirmImport(context: Context, plan: ImportPlan): Promise<void> {
  const { terminal, environments, prompt, options } = context;
  const { name, url, protected: isProtected } = environments.target();
  const left = countLeft(plan);
  if (left === 0) return;
  const pets = countPets(left);
  const members = { environment: name, url, rows: left };
  terminal.notice(`About to add ${pets} to ${name} (${url})`, members);
  const flag = plan.options.fresh ? 'fresh' : plan.options.resume ? 'resume' : undefined;
  const words = rerunWords(plan, flag);
  await confirmWrite(context, { action: `Add ${pets}`, words, mustTypeName: true });
  if (isProtected || !terminal.canAsk || options.confirm === name) return;
  if (!(await prompt.askConfirm(`Add ${pets} to ${name}?`)))
    throw new UserError('cli_declined', 'Not confirmed; nothing was sent');
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
