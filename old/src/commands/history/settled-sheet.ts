import type { SettledEntry } from '../../contract/outputs/history.ts';
import type { RecordSheet } from '../../terminal/records/record-sheet.ts';
import { describeOutcome, describeWrite, historySheet } from './history-entry.ts';

/** As the history, with what became of each write in place of its outcome. */
export const settledSheet: RecordSheet<SettledEntry> = {
  id: ({ id }) => id,
  columns: [
    { name: 'id', heading: 'ID', align: 'right', overflow: 'none' },
    { name: 'at', heading: 'TIME', overflow: 'none' },
    { name: 'environment', heading: 'ENVIRONMENT', overflow: 'none' },
    { name: 'command', heading: 'WRITE', show: describeWrite },
    ...historySheet.columns.filter(({ heading }) => heading === undefined).map((column) => column),
    { name: 'settlement', heading: 'SETTLED', show: describeSettlement },
  ],
};

/** `was there: added as 101`, `added now as 104`, `rejected: …` or why it is still unknown. */
function describeSettlement(entry: SettledEntry): string {
  const outcome = describeOutcome(entry);
  switch (entry.settlement) {
    case 'already_added':
      return `was there: ${outcome}`;
    case 'added_now':
      return `added now: ${outcome}`;
    case 'rejected':
    case 'unknown':
      return outcome;
    case 'resumable':
      return `${outcome}; can be resumed`;
  }
}
