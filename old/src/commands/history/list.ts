import type { Entry } from '../../history/entry.ts';
import type { Context } from '../../program/context/context.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';
import { withHistory } from '../shared/history-file.ts';
import { historySheet, toHistoryEntry } from './history-entry.ts';

export interface ListHistoryOptions {
  /** Milliseconds. */
  since?: number;
}

/** Lists what was added from this machine, in every environment unless --env names one. */
export async function listHistory(context: Context, { since }: ListHistoryOptions): Promise<void> {
  const { clock, options, terminal, environments } = context;
  const from = since === undefined ? undefined : new Date(clock().getTime() - since);
  const all = await withHistory(context, ({ list }) => list(from));
  const isShown = ({ environment }: Entry) =>
    options.env === undefined || environment === options.env;
  const entries = all.filter(isShown);
  // One that was removed since still has its history; a mistyped one does not.
  if (entries.length === 0 && options.env !== undefined) environments.describe(options.env);
  const hasStringIds = options.stringIds ?? false;
  await writeRecords(terminal, entries.map(toHistoryEntry), historySheet, { hasStringIds });
}
