import path from 'node:path';
import { createFolder, describeChoice } from '../../config/paths.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { ImportRecord, ImportRecords } from '../../import/import-record.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import type { Context } from '../../program/context.ts';
import { repeatLine } from '../../program/next-lines.ts';
import type { Delivery } from './delivery.ts';
import type { Tally } from './totals.ts';

export type ActivePlan = Extract<ImportPlan, { kind: 'start' | 'resume' }>;

/** One run of an import and its record. */
export interface RecordedRun {
  readonly isRecorded: boolean;
  /** Nothing here says that these rows were sent before: if they were, it was from another computer. */
  readonly isFirst: boolean;
  /** Part of the keys of the rows. */
  nonce(): string | undefined;
  /** Makes of it another delivery of the same rows. */
  addAgain(): Promise<void>;
  /** Takes the record back: nothing was added. */
  cancel(): Promise<void>;
  /** @param rejectsMtimeMs of the file of `--rejects`. */
  finish(tally: Tally, rejectsMtimeMs: number | undefined): Promise<void>;
}

/** Records that an import is started, or goes on. Where that is impossible it warns, unless a nonce would be forgotten. */
export async function recordRun(
  context: Context,
  delivery: Delivery,
  records: ImportRecords,
  plan: ActivePlan,
): Promise<RecordedRun> {
  const { rejects } = delivery.options;
  const file = rejects === undefined ? undefined : { path: path.resolve(rejects) };
  const { result: _, ...known } =
    plan.kind === 'resume' ? plan.record : createRecord(delivery, plan.nonce);
  let record: ImportRecord = { ...known, ...(file && { rejects: file }) };
  const write = async (changed: ImportRecord) => {
    record = changed;
    await createFolder(context.variables, 'state');
    await records.write(record);
  };
  const begin = async () => {
    if (plan.kind === 'resume' || records.own !== undefined) return await write(record);
    await createFolder(context.variables, 'state');
    // Somebody may have thought long about the question.
    if (!(await records.create(record))) throw refuseSecond(context, delivery);
  };
  const isRecorded = await begin().then(
    () => true,
    (error: unknown) => {
      if (error instanceof UserError && error.code === 'cli_import_again') throw error;
      // What goes on has its nonce on the disk.
      if (plan.kind === 'start' && plan.nonce !== undefined) throw refuseUnrecorded(error);
      return warn(context, error);
    },
  );
  return {
    isRecorded,
    isFirst: isRecorded && plan.kind === 'start' && plan.nonce === undefined,
    nonce: () => record.nonce,
    addAgain: () =>
      write({ ...record, nonce: crypto.randomUUID() }).catch((error: unknown) => {
        throw refuseUnrecorded(error);
      }),
    cancel: records.remove,
    async finish({ added, refused, unknown, stop }, mtimeMs) {
      if (!isRecorded) return;
      const isFinished = stop === undefined && added + refused + unknown === record.rows;
      // A run that went on and was stopped has not seen all that earlier ones added.
      const isCounted = isFinished || plan.kind === 'start';
      await write({
        ...record,
        ...(file && mtimeMs !== undefined && { rejects: { ...file, mtimeMs } }),
        ...(isCounted && { result: { isFinished, added, refused, unknown } }),
      }).catch((error: unknown) => warn(context, error));
    },
  };
}

function createRecord(
  { name, environment, checked }: Delivery,
  nonce: string | undefined,
): ImportRecord {
  return {
    ...{ name: path.basename(name), baseUrl: environment.baseUrl.href, rows: checked.count },
    started: new Date().toISOString(),
    ...(nonce !== undefined && { nonce }),
  };
}

function refuseSecond({ argv }: Context, { name }: Delivery): UserError {
  const message = `Another petstore command started to import ${name} in the meantime.`;
  return new UserError('cli_import_again', message, { try: [repeatLine(argv, {})] });
}

/** A nonce that is not on the disk would be another one when the line is run again. */
function refuseUnrecorded(cause: unknown): UserError {
  const message = 'Nothing was sent: adding pets again must be recorded, and that failed.';
  return new UserError('cli_file', message, { details: [describeFailure(cause)], cause });
}

/** Without its record an import is still safe to run again for some days: the keys of its rows are made from the file. */
function warn({ terminal }: Context, error: unknown): false {
  terminal.warn(
    'cli_import_not_recorded',
    `This import cannot be recorded; run again after seven days, it would add its pets twice. ${describeFailure(error)}`,
  );
  return false;
}

function describeFailure(error: unknown): string {
  if (error instanceof UserError) return [error.message, ...error.details].join(' ');
  const place = error instanceof Error && 'path' in error ? `${error.path}: ` : '';
  return `${place}${messageOf(error)}. ${describeChoice('state')}.`;
}
