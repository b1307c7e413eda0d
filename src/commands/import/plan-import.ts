import { resolve } from 'node:path';
import { UserError } from '../../errors.ts';
import type { ImportInput } from '../../import/read/open-input.ts';
import type { ImportFormat } from '../../import/read/row.ts';
import type { Draft } from '../../import/staging/draft.ts';
import {
  type ImportSubject,
  type ImportTarget,
  identifyImport,
} from '../../import/staging/import-records.ts';
import type { Imports, StartedImport } from '../../import/staging/imports.ts';
import type { Context } from '../../program/context/context.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { chooseInput, openInput } from './choose-input.ts';
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
  const known = imports.open(subject.id);
  const changed = known ? undefined : planByPath(context, imports, options, file);
  if (changed !== undefined) {
    draft.discard();
    return changed;
  }
  refuseProblems(context, name, report);
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
  const resume = `petstore import --resume ${id} --env ${environment}`;
  const move = formatShellLine(['petstore', 'env', 'set', environment, '--url', url]);
  throw new UserError('cli_usage', `Import ${id} goes to ${environment} · ${url}`, {
    details: [`this would go to ${target.environment} · ${target.url}`],
    next: environment === target.environment ? [move, resume] : [resume],
  });
}

/** The import that was started from this file, whatever the file holds now. */
function planByPath(
  context: Context,
  imports: Imports,
  options: ImportCommandOptions,
  file: string | undefined,
): ImportPlan | undefined {
  if (file === undefined || options.resume === undefined) return undefined;
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
