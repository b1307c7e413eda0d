import * as v from 'valibot';

/** A bigint as the driver gives it: exact, as text. */
export const Bigint = v.pipe(
  v.string(),
  v.transform((text) => BigInt(text)),
);

/** A nullable timestamp. */
export const OptionalTime = v.pipe(
  v.nullable(v.date()),
  v.transform((time) => time ?? undefined),
);

/** The row of a statement that answers none. */
export const NoRow = v.never();
