import * as v from 'valibot';
import { KeyAccess } from '../key-info.ts';
import { WriteOutcome } from './error-line.ts';

const Count = v.number();

/**
 * Every member that a notice or warning may have besides its message: the one list that the compiler holds all of them to.
 * Which ones are there depends on the notice.
 */
const members = {
  /** Further lines, as those of an error. */
  details: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  environment: v.exactOptional(v.string()),
  environments: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  url: v.exactOptional(v.string()),
  /** ISO 8601: when the choice of this environment ends, or has ended. */
  until: v.exactOptional(v.string()),
  database: v.exactOptional(v.string()),
  /** Whether `db migrate` found no tables. */
  created: v.exactOptional(v.boolean()),
  file: v.exactOptional(v.string()),
  format: v.exactOptional(v.string()),
  /** Of the pet that was added, as text: every digit survives. */
  id: v.exactOptional(v.string()),
  outcome: v.exactOptional(WriteOutcome),
  code: v.exactOptional(v.picklist(['cli_deprecated', 'cli_removed', 'cli_key_ends'])),
  /** What a key may do. */
  access: v.exactOptional(KeyAccess),
  /** ISO 8601: when a key ends. */
  expiresAt: v.exactOptional(v.string()),
  /** ISO 8601: when the operation is removed. */
  sunset: v.exactOptional(v.string()),
  /** How long the program waits before it tries again. */
  seconds: v.exactOptional(v.number()),
  shown: v.exactOptional(Count),
  /** False when more rows exist than shown. */
  complete: v.exactOptional(v.boolean()),
  rows: v.exactOptional(Count),
  added: v.exactOptional(Count),
  removed: v.exactOptional(Count),
  storage: v.exactOptional(v.string()),
  lastFour: v.exactOptional(v.string()),
  /** The development key of `serve`, which is shown once. */
  key: v.exactOptional(v.string()),
  pets: v.exactOptional(Count),
  idempotencyKeys: v.exactOptional(Count),
  apiKeys: v.exactOptional(Count),
  checksums: v.exactOptional(
    v.strictObject({ pets: v.string(), idempotencyKeys: v.string(), apiKeys: v.string() }),
  ),
};

/** A line on stderr. A notice is left out by --quiet, a warning is not. */
export const Notice = v.strictObject({
  type: v.picklist(['notice', 'warning']),
  message: v.string(),
  ...members,
});
export type NoticeMembers = Omit<v.InferOutput<typeof Notice>, 'type' | 'message'>;

/** A line on stderr of --verbose. */
export const TraceLine = v.strictObject({ type: v.literal('trace'), message: v.string() });
