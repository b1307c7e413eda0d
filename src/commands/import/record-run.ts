import { createFolder } from '../../config/paths.ts';
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
  let record = plan.kind === 'resume' ? plan.record : createRecord(delivery, plan.nonce);
  const write = async (changed: ImportRecord) => {
    record = changed;
    await createFolder(context.variables, 'state');
    await records.write(record);
  };
  const { result: _, ...running } = record;
  const isRecorded = await write(running).then(
    () => true,
    (error: unknown) => warn(context, record, error),
  );
  return {
    nonce: () => record.nonce,
    isFirst: isRecorded && plan.kind === 'start' && plan.nonce === undefined,
    addAgain: () => write(createRecord(delivery, crypto.randomUUID())),
    cancel: records.remove,
    async finish({ added, refused, unknown, stop }) {
      if (!isRecorded) return;
      const isFinished = stop === undefined && added + refused + unknown === record.rows;
      const result = { isFinished, added, refused, unknown };
      await write({ ...record, result }).catch((error: unknown) => warn(context, {}, error));
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

/** Without its record an import is still safe to run again: the keys of its rows are made from the file. */
function warn({ terminal }: Context, { nonce }: { nonce?: string }, error: unknown): false {
  if (nonce !== undefined) {
    throw new UserError('cli_file', 'These pets cannot be added again: it could not be recorded.', {
      details: [messageOf(error), ...(error instanceof UserError ? error.details : [])],
      cause: error,
    });
  }
  const details = error instanceof UserError ? error.details.map((line) => ` (${line})`) : [];
  terminal.warn(
    'cli_import_not_recorded',
    `This import cannot be recorded: ${messageOf(error)}${details.join('')}`,
  );
  return false;
}
