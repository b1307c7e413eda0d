import * as v from 'valibot';
import { Int64 } from '../contract/int64.ts';
import { parseJson } from '../contract/json.ts';
import { WriteOutcome } from '../contract/outputs/error-line.ts';
import { NewPet } from '../contract/pet.ts';

/** A column of JSON text, every digit of an int64 kept. */
function json<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(v.string(), v.transform(parseJson), schema);
}

/** How an add ended, as far as it is known. */
const AddResult = v.object({
  /** Of the pet that was added. */
  petId: v.nullable(Int64),
  /** Why it was not added, or why that is not known. */
  reason: v.nullable(v.string()),
  /** False where the service said that it does not honor idempotency keys. */
  isKeyHonored: v.boolean(),
});
export type AddResult = v.InferOutput<typeof AddResult> & { outcome: WriteOutcome };

/** How far an import came, by its last run from here. */
const ImportResult = v.object({
  added: v.number(),
  rejected: v.number(),
  unknown: v.number(),
  /** Whether every row has its outcome. */
  isComplete: v.boolean(),
});
export type ImportResult = v.InferOutput<typeof ImportResult> & { outcome: WriteOutcome };

/** What was imported. */
const ImportSubject = v.object({
  /** By which `import --resume` finds it. */
  importId: v.string(),
  /** Absolute; null for stdin. */
  file: v.nullable(v.string()),
  rows: v.number(),
});
export type ImportSubject = v.InferOutput<typeof ImportSubject>;

const common = {
  id: v.number(),
  /** When it was recorded, just before it was sent. */
  at: v.pipe(
    v.number(),
    v.transform((ms) => new Date(ms)),
  ),
  environment: v.string(),
  /** The base URL. */
  url: v.string(),
  /** The idempotency key of an add; the run of an import, from which the keys of its rows are made. */
  key: v.string(),
  outcome: WriteOutcome,
};

const AddRow = v.pipe(
  v.object({
    ...common,
    command: v.literal('add'),
    subject: json(NewPet),
    result: json(AddResult),
  }),
  v.transform(({ subject, result, ...entry }) => ({ ...entry, ...result, pet: subject })),
);

const ImportRow = v.pipe(
  v.object({
    ...common,
    command: v.literal('import'),
    subject: json(ImportSubject),
    result: json(ImportResult),
  }),
  v.transform(({ subject, result, ...entry }) => ({ ...entry, ...result, ...subject })),
);

/** One write that was made from this machine, as it is stored and as it is read. */
export const Entry = v.variant('command', [AddRow, ImportRow]);
export type AddEntry = v.InferOutput<typeof AddRow>;
export type ImportEntry = v.InferOutput<typeof ImportRow>;
export type Entry = AddEntry | ImportEntry;

/** Nobody knows more of a write than this while it is sent, or when its process was killed. */
export const notYetKnown = {
  add: { outcome: 'unknown', petId: null, reason: null, isKeyHonored: true },
  import: { outcome: 'unknown', added: 0, rejected: 0, unknown: 0, isComplete: false },
} as const satisfies { add: AddResult; import: ImportResult };
