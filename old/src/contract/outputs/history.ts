import * as v from 'valibot';
import { Int64 } from '../int64.ts';
import { NewPet } from '../pet.ts';
import { WriteOutcome } from './error-line.ts';

const common = {
  /** Of this line of the history, for `history settle`. */
  id: v.number(),
  /** ISO 8601: when it was sent. */
  at: v.string(),
  environment: v.string(),
  url: v.string(),
  outcome: WriteOutcome,
};

const add = {
  command: v.literal('add'),
  ...common,
  pet: NewPet,
  /** Of the pet that was added. */
  petId: v.nullable(Int64),
  idempotencyKey: v.string(),
  /** Why it was not added, or why that is not known. */
  reason: v.nullable(v.string()),
};

const imported = {
  command: v.literal('import'),
  ...common,
  /** For `import --resume`. */
  importId: v.string(),
  file: v.nullable(v.string()),
  rows: v.number(),
  added: v.number(),
  rejected: v.number(),
  unknown: v.number(),
  isComplete: v.boolean(),
};

/** An add or an import that was made from this machine, as `history list` prints it. */
export const HistoryEntry = v.variant('command', [v.strictObject(add), v.strictObject(imported)]);
export type HistoryEntry = v.InferOutput<typeof HistoryEntry>;

/** Whether the pet was there already, was added now, was refused, or still nobody knows; an import is resumed. */
const settlements = ['already_added', 'added_now', 'rejected', 'unknown', 'resumable'] as const;
const Settlement = v.picklist(settlements);
export type Settlement = (typeof settlements)[number];

/** What became of a write of unknown outcome, as `history settle` prints it. */
export const SettledEntry = v.variant('command', [
  v.strictObject({ ...add, settlement: Settlement }),
  v.strictObject({ ...imported, settlement: Settlement }),
]);
export type SettledEntry = v.InferOutput<typeof SettledEntry>;
