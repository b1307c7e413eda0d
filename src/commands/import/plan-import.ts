import { resolve } from 'node:path';
import { UserError } from '../../errors.ts';
import { type ImportInput, openFileInput, openStreamInput } from '../../import/read/open-input.ts';
import type { ImportFormat } from '../../import/read/row.ts';
import type { Draft } from '../../import/staging/draft.ts';
import {
  type ImportSubject,
  type ImportTarget,
  identifyImport,
} from '../../import/staging/import-records.ts';
import type { Imports, StartedImport } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { refuseProblems, stageInput } from './stage-input.ts';

export interface ImportCommandOptions {
  file?: string;
  format?: ImportFormat;
  dryRun?: boolean;
  concurrency: number;
  rejects?: string;
  /** With the id of an import, or the file, where it has a value. */
  resume?: true | string;
  fresh?: boolean;
}

/** What is imported, where to, and what earlier runs left of it. */
export interface ImportPlan {
  options: ImportCommandOptions;
  /** What the person calls the input. */
  name: string;
  /** As it was typed; undefined for what cannot be read again. */
  file: string | undefined;
  subject: ImportSubject;
  /** How the input was written, for its rejected rows. */
  source: { format: ImportFormat; header: string };
  /** What was staged now; undefined when only an earlier run can be resumed. */
  draft?: Draft;
  known?: StartedImport | undefined;
}

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
  try {
    return await planFromInput(context, imports, options, input);
  } finally {
    await input.close();
  }
}

/**
 * Either what to read, or the id of an import whose rows were read before.
 * `--resume` takes an id, but `import --resume delivery.csv` means the file.
 */
function chooseInput({ file, resume, dryRun }: ImportCommandOptions) {
  const named = typeof resume === 'string' ? resume : undefined;
  if (file !== undefined && named !== undefined)
    throw new UserError('cli_usage', `import reads one file, but ${named} and ${file} are given`);
  const only = file ?? named;
  if (only === undefined) {
    throw new UserError('cli_usage', 'import needs a file, or - for stdin', {
      next: ['petstore import delivery.csv'],
    });
  }
  if (only === file || !/^[0-9a-f]{16}$/.test(only)) return { file: only };
  if (!dryRun) return { id: only };
  throw new UserError('cli_usage', '--dry-run checks a file, and this import was read before');
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
  options: ImportCommandOptions,
  input: ImportInput,
): Promise<ImportPlan> {
  const { name, format, path } = input;
  const draft = imports.createDraft();
  const report = await stageInput(context, input, draft);
  const target = findTarget(context);
  const { hash, rows, header } = report;
  const subject = { id: identifyImport(hash, target), hash, ...target, path: path ?? null, rows };
  const file = path && name;
  const known = options.dryRun ? undefined : imports.open(subject.id);
  if (known === undefined) {
    const changed = planByPath(context, imports, options, file);
    if (changed !== undefined) return changed;
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
  return { options, name, file, subject, source, known };
}

function findTarget({ environments }: Context): ImportTarget {
  const { name, url } = environments.target();
  return { environment: name, url };
}
