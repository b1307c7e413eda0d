import path from 'node:path';
import { UserError } from '../../errors.ts';
import { type Imports, openImports, type RunningImport } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { announceTarget } from '../shared/target.ts';
import { chooseRun } from './choose-run.ts';
import { concludeImport } from './conclude-import.ts';
import { confirmImport } from './confirm-import.ts';
import type { ImportCommandOptions, ImportPlan } from './import-plan.ts';
import { planImport } from './plan-import.ts';
import { sendStaged } from './send-staged.ts';

/** Adds a whole file of pets: stages and checks every row, asks, sends. */
export async function importPets(context: Context, options: ImportCommandOptions): Promise<void> {
  await announceTarget(context);
  const imports = openImports(path.join(context.paths.stateFolder, 'imports'));
  try {
    const plan = await planImport(context, imports, options);
    try {
      if (options.dryRun) reportDryRun(context, plan);
      else await runPlan(context, imports, plan);
    } finally {
      plan.draft?.discard();
      plan.known?.staging?.close();
    }
  } finally {
    imports.close();
  }
}

async function runPlan(context: Context, imports: Imports, plan: ImportPlan): Promise<void> {
  const choice = await chooseRun(context, plan);
  if (choice === undefined) return;
  const isStart = choice.kind === 'start';
  const open = () =>
    isStart ? imports.start(choice.draft, plan.subject, plan.known) : choice.running;
  await confirmImport(context, plan).catch((error: unknown) => {
    if (isStart && mayBeConfirmedLater(plan, error)) open().staging.close();
    throw error;
  });
  let running: RunningImport | undefined;
  try {
    const sent = await sendStaged(context, plan, {
      open: () => {
        running = open();
        return running;
      },
      canReplaceRejects: !isStart,
    });
    if (sent.isComplete && running?.record.finishedAt === null)
      imports.finish(running, sent.counts, context.clock());
    concludeImport(context, plan, sent);
  } finally {
    running?.staging.close();
  }
}

/** The line that confirms an import from a stream resumes it by its id: nobody can read the stream again. */
function mayBeConfirmedLater({ file, known }: ImportPlan, error: unknown): boolean {
  const isUnconfirmed = error instanceof UserError && error.code === 'cli_confirmation_required';
  return isUnconfirmed && file === undefined && known === undefined;
}

function reportDryRun({ terminal, environments }: Context, { subject }: ImportPlan): void {
  const { name, url } = environments.target();
  const { rows } = subject;
  terminal.notice(
    `Dry run: ${rows} ${rows === 1 ? 'pet' : 'pets'} could be added to ${name} (${url}); nothing was sent.`,
    { environment: name, rows, outcome: 'not_sent' },
  );
}
