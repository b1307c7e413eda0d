import { resolve } from 'node:path';
import { UserError } from '../../../errors.ts';
import type { ImportInput } from '../../../import/read/open-input.ts';
import type { ImportFormat } from '../../../import/read/row.ts';
import type { Draft } from '../../../import/staging/draft.ts';
import {
  type ImportSubject,
  type ImportTarget,
  identifyImport,
} from '../../../import/staging/import-records.ts';
import type { Imports, StartedImport } from '../../../import/staging/imports.ts';
import type { Context } from '../../../program/context/context.ts';
import { formatShellLine } from '../../../terminal/text/shell-line.ts';
import { rerunWords } from '../format-import-line.ts';
import { checkEarlier, refuseChanged } from './changed-file.ts';
import { chooseInput, openInput, refuseMissing } from './choose-input.ts';
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
    const known = options.resume && openByPath(context, imports, choice.file);
    if (known && known.staging !== undefined)
      return planEarlier(context, options, choice.file, known);
    throw await refuseMissing(context, choice.file, options);
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
  const plan = { options, name, file, subject, source: { format, header }, draft, known };
  const earlier =
    known || options.fresh || file === undefined ? undefined : openByPath(context, imports, file);
  if (earlier !== undefined && file !== undefined) {
    if (options.resume === undefined) checkEarlier(context, plan, earlier);
    else if (earlier.staging === undefined) throw refuseChanged(context, plan, earlier);
    else {
      draft.discard();
      return planEarlier(context, options, file, earlier);
    }
  }
  refuseProblems(context, name, report);
  return plan;
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
  const isProtected =
    context.environments.names().includes(environment) &&
    context.environments.describe(environment).protected.value;
  const words = rerunWords(planKnown(options, undefined, known), 'resume');
  const confirmation = isProtected ? ['--confirm', environment] : [];
  const resume = formatShellLine([...words, '--env', environment, ...confirmation]);
  const move = formatShellLine(['petstore', 'env', 'set', environment, '--url', url]);
  throw new UserError('cli_usage', `Import ${id} goes to ${environment} · ${url}`, {
    details: [`this would go to ${target.environment} · ${target.url}`],
    next: environment === target.environment ? [move, resume] : [resume],
  });
}

/** The newest import of the file of this name, whatever the file holds now. */
function openByPath(context: Context, imports: Imports, file: string): StartedImport | undefined {
  const record = imports.findByPath(resolve(file), findTarget(context));
  return record && imports.open(record.id);
}

/** The rows that were read then are what is sent, or reported once they all have their outcome. */
function planEarlier(
  { terminal }: Context,
  options: ImportCommandOptions,
  file: string,
  known: StartedImport,
): ImportPlan {
  const message =
    known.record.finishedAt === null
      ? `${file} has changed since its import was started; the rows read then are sent.`
      : `${file} has changed since it was imported; nothing of what it holds now is sent. Correct rejected rows in the file that --rejects writes.`;
  terminal.warn(message, { file });
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
