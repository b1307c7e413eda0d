import { devNull } from 'node:os';
import path from 'node:path';
import { readCategories, readCategory } from '../../config/categories.ts';
import { findFolder } from '../../config/paths.ts';
import { UserError } from '../../errors.ts';
import { checkFile } from '../../import/check-file.ts';
import {
  type ImportRecord,
  readImportRecords,
  writeImportRecord,
} from '../../import/import-record.ts';
import { type ImportPlan, planImport, type SendPlan } from '../../import/plan-import.ts';
import { readImportFile } from '../../import/read-import-file.ts';
import { checkRejectsFile, type RefusedRow, writeRejectsFile } from '../../import/rejects-file.ts';
import type { PetRow } from '../../import/row.ts';
import { readBytes } from '../../input/read-bytes.ts';
import type { Context } from '../../program/context.ts';
import { formatCount, formatNumber } from '../../terminal/counts.ts';
import { createWriter } from '../../terminal/formats.ts';
import { OutputClosedError } from '../../terminal/terminal.ts';
import {
  askCopy,
  askUnsure,
  confirmFinish,
  confirmFirst,
  confirmImport,
  describeEarlier,
  formatRows,
  listNotes,
} from './ask-import.ts';
import { concludeImport } from './conclude-import.ts';
import type { Delivery, ImportOptions, Progress } from './delivery.ts';
import { createResultWriter, listPetColumns } from './results.ts';
import {
  beginImport,
  finishEarlier,
  isKnownLongEnough,
  sendImport,
  type Target,
  withdrawImport,
} from './send-import.ts';

export async function importFile(
  context: Context,
  word: string,
  options: ImportOptions,
): Promise<void> {
  if (word === '-' && options.new)
    throw new UserError(
      'cli_usage',
      'Rows from stdin have no file name, by which --new knows what is new.',
    );
  await checkRejectsFile(word, options.rejects);
  // Before anything is sent: `--fields` may name one that is not there.
  const writeResults = createResultWriter(context);
  const delivery = await readDelivery(context, word, options);
  if (options.dryRun) return await showPlan(context, delivery);
  // Where nobody is asked.
  if (!context.terminal.isInteractive || context.options.confirm !== undefined)
    for (const warning of delivery.warnings) context.terminal.warn('cli_import_check', warning);
  const progress: Progress = {
    outcomes: delivery.rows.map(() => undefined),
    stop: undefined,
    found: 0,
    isRecorded: false,
  };
  const startedAt = performance.now();
  const target = createTarget(context);
  const isSent = await followPlans(context, delivery, target, progress);
  const seconds = (performance.now() - startedAt) / 1000;
  const resultError = await catchOutput(() => writeResults(delivery, progress));
  const rejectsError = await catchOutput(() =>
    writeRejectsFile(options.rejects, listRefused(delivery, progress)),
  );
  const outputError = resultError ?? rejectsError;
  if (!isSent && outputError !== undefined) throw outputError;
  if (!isSent) return;
  const honorsKeys = (await target()).idempotency.keysUntil !== undefined;
  concludeImport(context, delivery, progress, { seconds, outputError, honorsKeys });
}

async function readDelivery(
  context: Context,
  word: string,
  options: ImportOptions,
): Promise<Delivery> {
  const { variables, signal } = context;
  const [name, baseName] = word === '-' ? ['stdin', ''] : [word, path.basename(word)];
  const bytes = await readBytes(word === '-' ? context.stdin : word, name, signal);
  const file = await readImportFile(bytes, name, options.format);
  const categories = await readCategories(variables, signal).catch((error: unknown) => ({ error }));
  const checked = checkFile(file, name, (text) => {
    // A file that cannot be used is reported once a name is met.
    if ('error' in categories) throw categories.error;
    return readCategory(categories, text);
  });
  const environment = await context.findEnvironment();
  const { rows: _, ...notes } = file;
  // Without a folder nothing is found, and writing says why.
  const folder = path.join(findFolder(variables, 'state') ?? devNull, 'imports');
  const names = 'error' in categories ? new Map() : categories.names;
  return {
    ...notes,
    ...checked,
    name,
    baseName,
    environment,
    options,
    folder,
    categoryNames: names,
  };
}

/** Connects once, and asks the service for its time and its idempotency keys. */
function createTarget(context: Context): () => Promise<Target> {
  let target: Promise<Target> | undefined;
  const open = async () => {
    const { client } = await context.connect({ finishesWrites: true });
    return { client, idempotency: await client.askIdempotency() };
  };
  return () => {
    target ??= open();
    return target;
  };
}

/** Does what the plan says until nothing is left. Resolves to whether rows were sent. @throws UserError where somebody has to decide. */
async function followPlans(
  context: Context,
  delivery: Delivery,
  target: () => Promise<Target>,
  progress: Progress,
): Promise<boolean> {
  let wanted = readWanted(delivery.options);
  let isFirstWanted = false;
  let isConfirmed = false;
  const confirm = async (plan: Extract<ImportPlan, { kind: 'send' | 'finish' }>) => {
    if (!isConfirmed) await confirmImport(context, delivery, plan, wanted);
    isConfirmed = true;
  };
  for (;;) {
    const knowsKeys = async ({ keysUntil }: ImportRecord) =>
      keysUntil === undefined ||
      isKnownLongEnough(new Date(keysUntil), (await target()).idempotency.now);
    const decisions = { wanted, isFirstWanted, knowsKeys };
    const plan = await makePlan(context, delivery, decisions);
    if (plan.kind === 'done') return endDone(context, delivery, plan.record, progress);
    if (plan.kind === 'unsure') {
      await settle(delivery, plan, await askUnsure(context, delivery, plan));
    } else if (plan.kind === 'first') {
      await confirmFirst(context, delivery);
      isFirstWanted = true;
    } else if (plan.kind === 'copy') {
      wanted = await askCopy(context, delivery, plan);
      isFirstWanted = true;
    } else if (plan.kind === 'finish') {
      if (wanted !== 'new') await confirmFinish(context, delivery, plan);
      wanted = 'new';
      await confirm(plan);
      await finishEarlier(context, delivery, await target(), plan, progress);
      if (progress.stop !== undefined) return true;
    } else {
      if (plan.own !== undefined)
        context.terminal.notice(`${describeEarlier(plan.own)}. Continuing: no pet is added twice.`);
      await confirm(plan);
      const record = await beginImport(context, delivery, await target(), plan, progress);
      const { own = plan.replaced } = plan;
      const now = await makePlan(context, delivery, decisions, { own });
      if (!isSamePlan(plan, now)) throw await withdrawImport(context, delivery, record, own);
      await sendImport(context, delivery, await target(), plan, record, progress);
      return true;
    }
  }
}

function readWanted(options: ImportOptions): 'new' | 'again' | undefined {
  if (options.new) return 'new';
  return options.again ? 'again' : undefined;
}

type Decisions = Pick<Parameters<typeof planImport>[0], 'wanted' | 'isFirstWanted' | 'knowsKeys'>;

/**
 * Plans by the records of this file, of this name, and on a terminal of any file to this service.
 * @param given the record of these rows, where it is not the one that is there.
 */
async function makePlan(
  { terminal }: Context,
  delivery: Delivery,
  decisions: Decisions,
  given?: { readonly own: ImportRecord | undefined },
): Promise<ImportPlan> {
  const { baseName, environment, digest, hashes, folder } = delivery;
  const all = await readImportRecords(folder, new Date());
  const here = all.filter(({ baseUrl }) => baseUrl === environment.baseUrl.href);
  const records = here.filter((record) => record.digest !== digest);
  const { own } = given ?? { own: here.find((record) => record.digest === digest) };
  const others = records.filter(
    ({ name }) => baseName !== '' && (terminal.isInteractive || name === baseName),
  );
  return await planImport({ ...decisions, own, others, records, hashes, name: baseName });
}

/** Whether nothing was found since that decides otherwise: somebody may have thought long about the question. */
function isSamePlan(plan: SendPlan, now: ImportPlan): boolean {
  if (now.kind !== 'send' || (now.nonce === undefined) !== (plan.nonce === undefined)) return false;
  return now.isIn.every((isIn, index) => isIn === plan.isIn[index]);
}

/** Records what somebody knows of rows whose outcome was unknown. */
async function settle(
  { folder }: Delivery,
  { record, rows }: Extract<ImportPlan, { kind: 'unsure' }>,
  state: 'i' | 'n',
): Promise<void> {
  const settled = new Set(rows);
  const states = Array.from(record.states, (old, index) => (settled.has(index) ? state : old));
  await writeImportRecord(folder, { ...record, states: states.join('') });
}

/** Nothing is left to send; returns whether this run sent something before. */
function endDone(
  { terminal }: Context,
  { name, options }: Delivery,
  record: ImportRecord | undefined,
  { outcomes }: Progress,
): boolean {
  const isSent = outcomes.some((outcome) => outcome !== undefined);
  for (const index of outcomes.keys()) outcomes[index] ??= { kind: 'before' };
  if (isSent) return true;
  if (options.new) terminal.notice(`Nothing in ${name} is new; nothing was sent.`);
  else if (record !== undefined) {
    const message = `${describeEarlier({ ...record, name })}; nothing was sent. --again adds all of it a second time.`;
    terminal.warn('cli_already_imported', message);
  }
  return false;
}

/** The plan, as far as this computer knows it. */
async function showPlan(context: Context, delivery: Delivery): Promise<void> {
  const { terminal } = context;
  const { rows, environment, options } = delivery;
  const knowsKeys = async ({ keysUntil }: ImportRecord) =>
    keysUntil === undefined || isKnownLongEnough(new Date(keysUntil), new Date());
  const decisions = { wanted: readWanted(options), isFirstWanted: true, knowsKeys };
  const plan = await makePlan(context, delivery, decisions);
  const isIn = listKnown(plan, rows.length);
  const left = rows.filter((_, index) => !isIn[index]);
  await writePlan(context, delivery, options.new ? left : rows);
  const { notes, warnings } = listNotes(delivery);
  for (const note of notes) terminal.notice(note);
  for (const warning of warnings) terminal.warn('cli_import_check', warning);
  const where = `${environment.name} (${environment.baseUrl.host})`;
  const known = rows.length - left.length;
  const counts =
    known === 0
      ? ''
      : `${formatNumber(known)} of ${formatNumber(rows.length)} are in, ${formatNumber(left.length)} ${left.length === 1 ? 'is' : 'are'} new. `;
  terminal.notice(
    `${counts}${formatCount(left.length, 'pet')} would be added to ${where}; nothing was sent.`,
  );
}

function listKnown(plan: ImportPlan, count: number): readonly boolean[] {
  if (plan.kind === 'done') return Array.from({ length: count }, () => true);
  return plan.kind === 'send' || plan.kind === 'copy' ? plan.isIn : [];
}

async function writePlan(context: Context, { categoryNames }: Delivery, rows: readonly PetRow[]) {
  const { terminal, options } = context;
  if (terminal.format === 'table')
    return await terminal.write(formatRows(rows, categoryNames, terminal.stdout));
  const columns = listPetColumns<PetRow>(({ pet }) => pet, categoryNames);
  await createWriter(terminal, { columns }, options).writeRows([rows]);
}

/** Why something could not be written, which does not stop what comes after; a reader who left is no failure. */
async function catchOutput(write: () => Promise<void>): Promise<UserError | undefined> {
  try {
    await write();
  } catch (error) {
    if (error instanceof UserError) return error;
    if (!(error instanceof OutputClosedError)) throw error;
  }
  return undefined;
}

function listRefused({ rows }: Delivery, { outcomes }: Progress): RefusedRow[] {
  return rows.flatMap(({ pet }, index) => {
    const outcome = outcomes[index];
    return outcome?.kind === 'refused' ? [{ pet, reason: outcome.reason }] : [];
  });
}
