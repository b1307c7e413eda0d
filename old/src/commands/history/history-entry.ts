import type { HistoryEntry } from '../../contract/outputs/history.ts';
import type { Entry } from '../../history/entry.ts';
import type { RecordSheet } from '../../terminal/records/record-sheet.ts';

/** An entry as it is printed. */
export function toHistoryEntry(entry: Entry): HistoryEntry {
  const { id, environment, url, outcome } = entry;
  const common = { id, at: entry.at.toISOString(), environment, url, outcome };
  if (entry.command === 'add') {
    const { command, pet, petId, key, reason } = entry;
    return { command, ...common, pet, petId, idempotencyKey: key, reason };
  }
  const { command, importId, file, rows, added, rejected, unknown, isComplete } = entry;
  return {
    ...{ command, ...common, importId, file, rows },
    ...{ added, rejected, unknown, isComplete },
  };
}

/** How the history is written: what was done and what became of it for people, a column for each fact in CSV. */
export const historySheet: RecordSheet<HistoryEntry> = {
  id: ({ id }) => id,
  emptyNotice: 'Nothing was added from this machine in this time.',
  columns: [
    { name: 'id', heading: 'ID', align: 'right', overflow: 'none' },
    { name: 'at', heading: 'TIME', overflow: 'none' },
    { name: 'environment', heading: 'ENVIRONMENT', overflow: 'none' },
    { name: 'command', heading: 'WRITE', show: describeWrite },
    { name: 'url' },
    { name: 'name', value: (entry) => readPet(entry)?.name },
    { name: 'categoryId', value: (entry) => readPet(entry)?.categoryId },
    { name: 'status', value: (entry) => readPet(entry)?.status },
    { name: 'outcome', heading: 'OUTCOME', show: describeOutcome },
    { name: 'petId', value: (entry) => (entry.command === 'add' ? entry.petId : undefined) },
  ],
};

function readPet(entry: HistoryEntry) {
  return entry.command === 'add' ? entry.pet : undefined;
}

/** `add "Rex", category 7` or `import delivery.csv`. */
export function describeWrite(entry: HistoryEntry): string {
  if (entry.command === 'import') return `import ${entry.file ?? 'from stdin'}`;
  const { name, categoryId, status } = entry.pet;
  return [
    `add ${JSON.stringify(name)}`,
    `category ${categoryId}`,
    ...(status ? [status] : []),
  ].join(', ');
}

const outcomes = {
  not_sent: 'not sent',
  not_applied: 'not added',
  applied: 'added',
  unknown: 'unknown',
} as const;

/** `added as 101`, `unknown: the connection broke` or `12 of 14 added, unfinished`. */
export function describeOutcome(entry: HistoryEntry): string {
  if (entry.command === 'import') return describeImport(entry);
  const { outcome, petId, reason } = entry;
  if (petId !== null) return `added as ${petId}`;
  return reason === null ? outcomes[outcome] : `${outcomes[outcome]}: ${reason}`;
}

function describeImport(entry: Extract<HistoryEntry, { command: 'import' }>): string {
  const { rows, added, rejected, unknown, isComplete, outcome } = entry;
  const isKnown = isComplete || outcome !== 'unknown' || added + rejected + unknown > 0;
  return [
    isKnown ? `${added} of ${rows} added` : 'unknown',
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(isComplete ? [] : ['unfinished']),
  ].join(', ');
}
