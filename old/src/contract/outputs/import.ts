import * as v from 'valibot';
import { NewPet, Pet } from '../pet.ts';
import { ServiceError } from '../service-error.ts';

/** What became of one row of an imported file. */
export const ImportResult = v.variant('outcome', [
  v.strictObject({ line: v.number(), outcome: v.literal('added'), pet: Pet }),
  v.strictObject({
    line: v.number(),
    outcome: v.literal('rejected'),
    pet: NewPet,
    error: ServiceError,
  }),
  v.strictObject({
    line: v.number(),
    outcome: v.literal('unknown'),
    pet: NewPet,
    reason: v.string(),
  }),
]);
export type ImportResult = v.InferOutput<typeof ImportResult>;

/** A line on stderr for each mistake of a file; nothing was sent. */
export const ProblemLine = v.strictObject({
  type: v.literal('problem'),
  message: v.string(),
  /** From 1; `column` counts the file's own columns in CSV, characters in JSON. */
  line: v.number(),
  column: v.number(),
  /** The field of a pet or the name the file gives the column, when one is to blame. */
  field: v.exactOptional(v.string()),
  reason: v.string(),
});
export type ProblemMembers = Omit<v.InferOutput<typeof ProblemLine>, 'type' | 'message'>;

/** A line on stderr at the end of an import. */
export const SummaryLine = v.strictObject({
  type: v.literal('summary'),
  message: v.string(),
  environment: v.string(),
  url: v.string(),
  rows: v.number(),
  added: v.number(),
  rejected: v.number(),
  unknown: v.number(),
  /** By this run, not by one before it. */
  addedNow: v.number(),
  seconds: v.number(),
  isComplete: v.boolean(),
});
export type SummaryMembers = Omit<v.InferOutput<typeof SummaryLine>, 'type' | 'message'>;
