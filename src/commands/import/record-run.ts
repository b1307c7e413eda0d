import path from 'node:path';
import { createFolder, describeChoice } from '../../config/paths.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { ImportRecord, ImportRecords } from '../../import/import-record.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import type { Context } from '../../program/context.ts';
import type { Delivery } from './delivery.ts';
import type { Totals } from './totals.ts';

export type ActivePlan = Extract<ImportPlan, { kind: 'start' | 'resume' }>;

/** One run of an import and its record. */
export interface RecordedRun {
  /** Part of the keys of the rows. */
  nonce(): string | undefined;
  /** Nothing here says that these rows were sent before: if they were, it was from another computer. */
  readonly isFirst: boolean;
  /** Whether this import may go on later, if it is stopped. */
  isRepeatable(): boolean;
  /** Another computer began with these rows: this import must not be repeated by its age alone. */
  addMissing(): Promise<void>;
  /** Makes of it another delivery of the same rows. */
  addAgain(): Promise<void>;
  /** Takes the record back: nothing was added. */
  cancel(): Promise<void>;
  finish(totals: Totals): Promise<void>;
}

/** Records that an import is started, or goes on. Where that is impossible it warns, unless a nonce would be forgotten. */
export async function recordRun(
  context: Context,
  delivery: Delivery,
  records: ImportRecords,
  plan: ActivePlan,
): Promise<RecordedRun> {
  const { rejects } = delivery.options;
  let record: ImportRecord = {
    ...(plan.kind === 'resume' ? plan.record : createRecord(delivery, plan.nonce)),
    ...(rejects !== undefined && { rejects: path.resolve(rejects) }),
  };
  const write = async (changed: ImportRecord) => {
    record = changed;
    await createFolder(context.variables, 'state');
    await records.write(record);
  };
  const { result: _, ...running } = record;
  const isRecorded = await write(running).then(
    () => true,
    (error: unknown) => {
      // What goes on has its nonce on the disk.
      if (plan.kind === 'start' && plan.nonce !== undefined) throw refuseAgain(error);
      return warn(context, error);
    },
  );
  return {
    nonce: () => record.nonce,
    isRepeatable: () => record.isFromElsewhere !== true,
    isFirst: isRecorded && plan.kind === 'start' && plan.nonce === undefined,
    addMissing: () =>
      write({ ...running, isFromElsewhere: true }).catch((error: unknown) => {
        throw refuseAgain(error);
      }),
    addAgain: () =>
      write({ ...running, nonce: crypto.randomUUID() }).catch((error: unknown) => {
        throw refuseAgain(error);
      }),
    cancel: records.remove,
    async finish({ added, refused, unknown, stop }) {
      const isFinished = stop === undefined && added + refused + unknown === record.rows;
      // A run that went on and was stopped has not seen all that earlier ones added.
      if (!isRecorded || (plan.kind === 'resume' && !isFinished)) return;
      const result = { isFinished, ended: new Date().toISOString(), added, refused, unknown };
      await write({ ...record, result }).catch((error: unknown) => warn(context, error));
    },
  };
}

function createRecord({ name, environment, checked }: Delivery, nonce?: string): ImportRecord {
  return {
    ...{ name, baseUrl: environment.baseUrl.href, rows: checked.count },
    started: new Date().toISOString(),
    ...(nonce !== undefined && { nonce }),
  };
}

/** A nonce that is not on the disk would be another one when the line is run again. */
function refuseAgain(cause: unknown): UserError {
  return new UserError('cli_file', 'These pets cannot be added again: it could not be recorded.', {
    details: describeFailure(cause),
    cause,
  });
}

/** Without its record an import is still safe to run again: the keys of its rows are made from the file. */
function warn({ terminal }: Context, error: unknown): false {
  const reasons = describeFailure(error).join(' ');
  terminal.warn('cli_import_not_recorded', `This import cannot be recorded. ${reasons}`);
  return false;
}

function describeFailure(error: unknown): string[] {
  if (error instanceof UserError) return [error.message, ...error.details];
  return [`${messageOf(error)}.`, describeChoice('state')];
}
