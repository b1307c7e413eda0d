import * as v from 'valibot';

/** The families of failure; each has one exit code. */
const errorClasses = [
  'unexpected',
  'usage',
  'refused',
  'auth',
  'not_found',
  'rejected',
  'service',
  'unreachable',
  'unknown_outcome',
  'incomplete',
  'hangup',
  'interrupted',
  'terminated',
] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** What became of a write: `not_sent` and `not_applied` are safe to repeat, `unknown` is not without its idempotency key. */
export const WriteOutcome = v.picklist(['not_sent', 'not_applied', 'applied', 'unknown']);
export type WriteOutcome = v.InferOutput<typeof WriteOutcome>;

const Lines = v.pipe(v.array(v.string()), v.readonly());

/** The last line on stderr of a run that failed: a superset of the service's Error. */
export const ErrorLine = v.strictObject({
  type: v.literal('error'),
  /** The service's code, or one that begins with `cli_`. */
  code: v.string(),
  message: v.string(),
  /** The HTTP status, when the service responded. */
  status: v.exactOptional(v.number()),
  class: v.picklist(errorClasses),
  exitCode: v.number(),
  environment: v.exactOptional(v.string()),
  request: v.exactOptional(
    v.strictObject({
      method: v.picklist(['GET', 'POST', 'HEAD']),
      url: v.string(),
      /** Sent as `X-Request-Id`; the service's log has it too. */
      id: v.string(),
    }),
  ),
  /** Whether the same line may succeed later. */
  retryable: v.boolean(),
  outcome: WriteOutcome,
  /** Further lines, when there are any. */
  details: v.exactOptional(Lines),
  /** Command lines to run next; empty when none would help. */
  next: Lines,
});
export type ErrorLine = v.InferOutput<typeof ErrorLine>;
