import { resolve } from 'node:path';
import { UserError } from '../../errors.ts';
import { type ImportInput, openFileInput, openStreamInput } from '../../import/read/open-input.ts';
import type { Draft } from '../../import/staging/draft.ts';
import { type ImportTarget, identifyImport } from '../../import/staging/import-records.ts';
import type { Imports, StartedImport } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { chooseInput } from './choose-input.ts';
import type { ImportCommandOptions, ImportPlan } from './import-plan.ts';
import { refuseProblems, stageInput } from './stage-input.ts';

/** Stages what is to be imported and finds what earlier runs of it have left. Sends nothing. @throws UserError */
export async function planImport(
  context: Context,
  imports: Imports,
  options: ImportCommandOptions,
): Promise<ImportPlan> {
  const choice = chooseInput(options);
  if ('id' in choice) return planById(context, imports, options, choice.id);
  const input = await openInput(context, choice.file, options);
  if (input === undefined) {
    const plan = planByPath(context, imports, options, choice.file);
    if (plan !== undefined) return plan;
    throw new UserError('cli_file', `There is no file ${choice.file}`);
  }
  const draft = imports.createDraft();
  try {
    return await planFromInput(context, imports, { options, input, draft });
  } catch (error) {
    draft.discard();
    throw error;
  } finally {
    await input.close();
  }
}

async function openInput(
  { terminal, stdin }: Context,
  file: string,
  { format }: ImportCommandOptions,
): Promise<ImportInput | undefined> {
  if (file === '-' && stdin.isTTY) {
    throw new UserError('cli_input_required', 'Pipe or redirect a file into stdin', {
      details: ['stdin is a terminal'],
      next: ['petstore import pets.csv', 'petstore import - < pets.csv'],
    });
  }
  const input = await (file === '-' ? openStreamInput(stdin, format) : openFileInput(file, format));
  if (input?.isGuessed) {
    terminal.notice(`Read as ${input.format}; --format says otherwise.`, { format: input.format });
  }
  return input;
}

async function planFromInput(
  context: Context,
  imports: Imports,
  { options, input, draft }: { options: ImportCommandOptions; input: ImportInput; draft: Draft },
): Promise<ImportPlan> {
  const { name, format, path } = input;
  const report = await stageInput(context, input, draft);
  const target = findTarget(context);
  const { hash, rows, header } = report;
  const subject = { id: identifyImport(hash, target), hash, ...target, path: path ?? null, rows };
  const file = path && name;
  const known = options.dryRun ? undefined : imports.open(subject.id);
  if (known === undefined) {
    const changed = planByPath(context, imports, options, file);
    if (changed !== undefined) {
      draft.discard();
      return changed;
    }
    refuseProblems(context, name, report);
  }
  return { options, name, file, subject, source: { format, header }, draft, known };
}

function planById(
  context: Context,
  imports: Imports,
  options: ImportCommandOptions,
  id: string,
): ImportPlan {
  const known = imports.open(id);
  if (known === undefined) throw new UserError('cli_not_found', `There is no import ${id} here`);
  const { environment, url } = known.record;
  const target = findTarget(context);
  if (environment === target.environment && url === target.url)
    return planKnown(options, undefined, known);
  known.staging?.close();
  throw new UserError('cli_usage', `Import ${id} goes to ${environment} · ${url}`, {
    details: [`this would go to ${target.environment} · ${target.url}`],
    next: [`petstore import --resume ${id} --env ${environment}`],
  });
}

/** The import that was started from this file, whatever the file holds now. */
function planByPath(
  context: Context,
  imports: Imports,
  options: ImportCommandOptions,
  file: string | undefined,
): ImportPlan | undefined {
  if (file === undefined || options.resume === undefined || options.dryRun) return undefined;
  const id = imports.findUnfinished(resolve(file), findTarget(context));
  const known = id === undefined ? undefined : imports.open(id);
  if (known === undefined) return undefined;
  context.terminal.warn(
    `${file} has changed since its import was started; the rows read then are sent.`,
    { file },
  );
  return planKnown(options, file, known);
}

function planKnown(
  options: ImportCommandOptions,
  file: string | undefined,
  known: StartedImport,
): ImportPlan {
  const { record: subject, staging } = known;
  const name = file ?? subject.path ?? `Import ${subject.id}`;
  const source = { format: staging?.format ?? 'csv', header: staging?.header ?? '' };
  return { options, name, file, subject, source, draft: undefined, known };
}

function findTarget({ environments }: Context): ImportTarget {
  const { name, url } = environments.target();
  return { environment: name, url };
}
