import * as v from 'valibot';

/** A bigint as the driver gives it: exact, as text. */
export const Bigint = v.pipe(
  v.string(),
  v.transform((text) => BigInt(text)),
);

/** The row of a statement that returns none. */
export const NoRow = v.never();
