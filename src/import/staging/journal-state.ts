import type { Doubt, JournalEntry, JournalHeader, Rejection } from './journal-lines.ts';
import { createRowLedger, type RowLedger } from './row-ledger.ts';

/** What a journal tells about an import so far. */
export interface JournalState {
  header: JournalHeader | undefined;
  ledger: RowLedger;
  added: number;
  /** Rows that ended otherwise than added. */
  others: Map<number, Rejection | Doubt>;
  isComplete: boolean;
  /** The highest row that may have been sent. */
  reach: number;
  /** When rows up to each of these may first have been sent, ascending. */
  announcements: { row: number; at: Date }[];
}

export function createJournalState(): JournalState {
  return {
    header: undefined,
    ledger: createRowLedger(),
    added: 0,
    others: new Map(),
    isComplete: false,
    reach: 0,
    announcements: [],
  };
}

export function applyEntry(state: JournalState, entry: JournalEntry): void {
  switch (entry.type) {
    case 'begun':
      state.header = entry.header;
      return;
    case 'sending':
      if (entry.row > state.reach) state.announcements.push({ row: entry.row, at: entry.at });
      state.reach = Math.max(state.reach, entry.row);
      return;
    case 'unsent':
      state.announcements = state.announcements.map(({ row, at }) => ({
        row: Math.min(row, entry.row),
        at,
      }));
      state.reach = Math.min(state.reach, entry.row);
      return;
    case 'outcome':
      if (entry.outcome.kind === 'added') state.added += 1;
      else state.others.set(entry.row, entry.outcome);
      state.ledger.settle(entry.row);
      return;
    case 'completed':
      state.isComplete = true;
  }
}

/** Rows that may have been sent and whose answer never arrived, with the earliest time they can have left. */
export function findRowsInDoubt(state: JournalState): Map<number, Date> {
  const { ledger, announcements, header } = state;
  const doubtful = new Map<number, Date>();
  // Announcements run ahead, past the end of the file too.
  const reach = Math.min(state.reach, header?.rows ?? 0);
  let next = 1;
  for (const { row, at } of announcements) {
    for (; next <= Math.min(row, reach); next += 1) {
      if (!ledger.isSettled(next)) doubtful.set(next, at);
    }
  }
  return doubtful;
}
