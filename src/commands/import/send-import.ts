import type { Idempotency, PetstoreClient } from '../../client/petstore-client.ts';
import { createFolder, describeFolderChoice } from '../../config/paths.ts';
import type { NewPet } from '../../contract/pet.ts';
import { messageOf, UserError } from '../../errors.ts';
import { chainKeys } from '../../import/hash-row.ts';
import {
  createImportRecord,
  decodeHashes,
  encodeHashes,
  endImportRecord,
  type ImportRecord,
  type RowState,
  removeImportRecord,
  writeImportRecord,
} from '../../import/import-record.ts';
import type { ImportPlan, SendPlan } from '../../import/plan-import.ts';
import type { PetRow } from '../../import/row.ts';
import { type RowOutcome, sendRows } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { formatNumber } from '../../terminal/counts.ts';
import { openProgress } from '../../terminal/progress.ts';
import { addRow, isUnknown } from './add-row.ts';
import { confirmReplayed } from './ask-import.ts';
import type { Delivery, Progress } from './delivery.ts';

/** What sending needs of the service. */
export interface Target {
  readonly client: PetstoreClient;
  readonly idempotency: Idempotency;
}

/** The service forgets a key to the minute, and an import takes its time. */
const MARGIN_MS = 60 * 60 * 1000;

/** Whether a service that is asked `now` knows keys long enough to go on under them. */
export function isKnownLongEnough(until: Date | undefined, now: Date): boolean {
  return until !== undefined && until.getTime() - now.getTime() >= MARGIN_MS;
}

/** Records, before the first row is sent, which rows will be. */
export async function beginImport(
  context: Context,
  delivery: Delivery,
  { idempotency }: Target,
  { isIn, nonce, own, replaced }: SendPlan,
  progress: Progress,
): Promise<ImportRecord> {
  const record: ImportRecord = {
    ...(own ?? createRecord(delivery, idempotency, nonce)),
    ...(nonce !== undefined && { nonce }),
    states: isIn.map((known) => (known ? 'i' : 's')).join(''),
  };
  const isReplacing = own !== undefined || replaced !== undefined;
  progress.isRecorded = await beginRecord(context, delivery, record, isReplacing);
  return record;
}

/** Sends the rows of a plan, and records what became of them. */
export async function sendImport(
  context: Context,
  delivery: Delivery,
  target: Target,
  { isIn, nonce, own }: SendPlan,
  record: ImportRecord,
  progress: Progress,
): Promise<void> {
  const { rows, hashes } = delivery;
  for (const [index, known] of isIn.entries()) {
    if (known) progress.outcomes[index] ??= { kind: 'before' };
    else if (/[su]/.test(own?.states[index] ?? '')) progress.outcomes[index] = lostOutcome;
  }
  const ended = await transmit(context, delivery, target, {
    ...{ record, progress, keyOf: chainKeys(hashes, nonce) },
    rows: rows.filter((_, index) => !isIn[index]),
  });
  const states = rows.map((_, index) => toState(progress.outcomes[index]));
  await endRecord(context, delivery, { ...ended, states: states.join('') }, progress);
}

/** Takes back the record of an import that sends nothing. @returns why. */
export async function withdrawImport(
  context: Context,
  { folder, name }: Delivery,
  record: ImportRecord,
  earlier: ImportRecord | undefined,
): Promise<UserError> {
  await (earlier === undefined
    ? removeImportRecord(folder, record)
    : writeImportRecord(folder, earlier));
  return refuseSecond(context, name);
}

/** Finishes the rows of an import that was killed, as far as they stand in this file, under the keys of that import. */
export async function finishEarlier(
  context: Context,
  delivery: Delivery,
  target: Target,
  { record, pairs }: Extract<ImportPlan, { kind: 'finish' }>,
  progress: Progress,
): Promise<void> {
  const { rows } = delivery;
  progress.isRecorded = true;
  const earlierRows = new Map(pairs.map(({ earlier, row }) => [row, earlier]));
  const keyOf = chainKeys(decodeHashes(record), record.nonce);
  for (const { row } of pairs) progress.outcomes[row] = lostOutcome;
  const ended = await transmit(context, delivery, target, {
    ...{ record, progress, rows: rows.filter((_, index) => earlierRows.has(index)) },
    keyOf: (index) => keyOf(earlierRows.get(index) ?? 0),
  });
  const states = Array.from(record.states, (state) => (state === 's' ? 'u' : state));
  for (const { earlier, row } of pairs) states[earlier] = toState(progress.outcomes[row]);
  await endRecord(context, delivery, { ...ended, states: states.join('') }, progress);
  const others = states.flatMap((state, index) => (state === 'u' ? [index + 1] : []));
  if (progress.stop !== undefined || others.length === 0) return;
  const numbersText = others.slice(0, 10).join(', ') + (others.length > 10 ? ' …' : '');
  const message = `Whether rows ${numbersText} of the import that was killed were added is unknown: they are not in ${delivery.name}.`;
  context.terminal.warn('cli_import_unknown_rows', message);
}

/** Of a row that an earlier run was sending, until this one has sent it again. */
const lostOutcome: RowOutcome = {
  kind: 'unknown',
  reason: 'an earlier run was stopped while it was being added',
};

function toState(outcome: RowOutcome | undefined): RowState {
  if (isUnknown(outcome)) return 'u';
  if (outcome?.kind === 'added' || outcome?.kind === 'before') return 'i';
  return outcome?.kind === 'refused' && outcome.isIn ? 'i' : 'n';
}

function createRecord(
  { baseName, environment, digest, hashes }: Delivery,
  { now, keysUntil }: Idempotency,
  nonce: string | undefined,
): ImportRecord {
  return {
    ...{ name: baseName, baseUrl: environment.baseUrl.href, digest, states: '' },
    ...{ started: now.toISOString(), hashes: encodeHashes(hashes) },
    // Keys with a nonce are this computer's alone. Those without may be known from elsewhere, and for a shorter time.
    ...(nonce !== undefined && { nonce, keysUntil: (keysUntil ?? now).toISOString() }),
    ...(keysUntil === undefined && { keysUntil: now.toISOString() }),
  };
}

interface Transmission {
  readonly record: ImportRecord;
  readonly rows: readonly PetRow[];
  /** @param index of a row in the file. */
  keyOf(index: number): string;
  readonly progress: Progress;
}

/** Sends rows and notes what becomes of each. @returns the record, with the end of its keys. */
async function transmit(
  context: Context,
  delivery: Delivery,
  { client, idempotency }: Target,
  { rows, keyOf, progress, ...begun }: Transmission,
): Promise<ImportRecord> {
  const { terminal, signal } = context;
  let { record } = begun;
  let done = 0;
  const line = openProgress(terminal);
  const startedAt = performance.now();
  const sayStopping = () => {
    line.end();
    terminal.notice('Stopping after the pets that were already sent. Ctrl-C again stops at once.');
  };
  const sendRow = async (row: PetRow) => {
    const outcome = await addRow(client, row.pet, keyOf(row.number - 1));
    noteOutcome(progress, row, outcome);
    if (outcome.kind === 'added' && record.keysUntil === undefined) {
      line.end();
      const keysUntil = await judgeFirst(context, delivery, idempotency, outcome, record);
      record = { ...record, keysUntil: keysUntil.toISOString() };
      if (progress.isRecorded) await writeImportRecord(delivery.folder, record).catch(() => {});
    }
    done += 1;
    if (terminal.hasNotices) line.update(formatProgress(done, rows.length, startedAt));
    return outcome.kind;
  };
  signal.addEventListener('abort', sayStopping);
  try {
    await sendRows({ rows, count: delivery.rows.length, signal, sendRow });
  } finally {
    signal.removeEventListener('abort', sayStopping);
    line.end();
  }
  if (signal.aborted) progress.stop ??= { line: 0, error: signal.reason };
  return record;
}

function noteOutcome(progress: Progress, { number, line, pet }: PetRow, outcome: RowOutcome): void {
  const { outcomes, stop } = progress;
  const isExpected = outcomes[number - 1] !== undefined;
  if (outcome.kind === 'added' && outcome.isReplayed && !isExpected) progress.found += 1;
  if (outcome.kind === 'stopped' && !(stop !== undefined && stop.line < line))
    progress.stop = { line, error: outcome.error };
  outcomes[number - 1] = shrinkOutcome(pet, outcome);
}

/** The name is the file's own text: a part of the response would hold all of it in memory. */
function shrinkOutcome({ name }: NewPet, outcome: RowOutcome): RowOutcome {
  if (outcome.kind !== 'added' || outcome.pet.name !== name) return outcome;
  return { ...outcome, pet: { ...outcome.pet, name }, keyUntil: undefined };
}

/**
 * What the first pet that is added says: until when the keys are known. Where it was there already, another computer sent
 * it, or the record of this one is lost; that is gone on with while the service knows the rows.
 * @throws UserError where it may not be; nothing is recorded then.
 */
async function judgeFirst(
  context: Context,
  delivery: Delivery,
  { now, keysUntil }: Idempotency,
  { isReplayed, keyUntil }: Extract<RowOutcome, { kind: 'added' }>,
  record: ImportRecord,
): Promise<Date> {
  if (!isReplayed) return keyUntil ?? keysUntil ?? now;
  if (isKnownLongEnough(keyUntil, now)) return keyUntil ?? now;
  try {
    await confirmReplayed(context, delivery);
  } catch (error) {
    await removeImportRecord(delivery.folder, record);
    throw error;
  }
  return keyUntil ?? now;
}

/** Whether the run is recorded. Where that is impossible it warns, unless the line needs a record. */
async function beginRecord(
  context: Context,
  { folder, name, options }: Delivery,
  record: ImportRecord,
  isReplacing: boolean,
): Promise<boolean> {
  try {
    await createFolder(context.variables, 'state');
    if (isReplacing) await writeImportRecord(folder, record);
    // Somebody may have thought long about the question.
    else if (!(await createImportRecord(folder, record))) throw refuseSecond(context, name);
    return true;
  } catch (error) {
    if (error instanceof UserError && error.code === 'cli_import_again') throw error;
    if (options.new || options.again || record.nonce !== undefined) throw refuseUnrecorded(error);
    warnUnrecorded(context, error);
    return false;
  }
}

async function endRecord(
  context: Context,
  { folder }: Delivery,
  record: ImportRecord,
  { isRecorded }: Progress,
): Promise<void> {
  if (!isRecorded) return;
  await endImportRecord(folder, record).catch((error: unknown) => warnUnrecorded(context, error));
}

function refuseSecond({ argv }: Context, name: string): UserError {
  const message = `Another petstore command started to import ${name} in the meantime.`;
  return new UserError('cli_import_again', message, {
    try: [['petstore', ...argv]],
    retryable: true,
  });
}

/** Without the record the same line would add the same rows once more. */
function refuseUnrecorded(cause: unknown): UserError {
  const message =
    'Nothing was sent: this import cannot be repeated safely without a record, and that failed.';
  return new UserError('cli_file', message, { details: [describeFailure(cause)], cause });
}

/** Without its record an import is still safe to run again for some days: the keys of its rows are made from the file. */
function warnUnrecorded({ terminal }: Context, error: unknown): void {
  terminal.warn(
    'cli_import_not_recorded',
    `This import cannot be recorded; run again after seven days, it would add its pets twice. ${describeFailure(error)}`,
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof UserError) return [error.message, ...error.details].join(' ');
  const place = error instanceof Error && 'path' in error ? `${error.path}: ` : '';
  return `${place}${messageOf(error)}. ${describeFolderChoice('state')}.`;
}

/** `1,200 of 3,000, 820 per second, 3 s left` @param startedAt milliseconds of `performance.now()`. */
function formatProgress(done: number, count: number, startedAt: number): string {
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = done / Math.max(seconds, 0.001);
  const left = Math.ceil((count - done) / rate);
  const time = left < 120 ? `${left} s` : `${Math.ceil(left / 60)} min`;
  const counts = `${formatNumber(done)} of ${formatNumber(count)}`;
  return `${counts}, ${formatNumber(Math.round(rate))} per second, ${time} left`;
}
