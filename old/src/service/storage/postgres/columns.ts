import * as v from 'valibot';

/** A bigint as the driver gives it: exact, as text. */
export const Bigint = v.pipe(
  v.string(),
  v.transform((text) => BigInt(text)),
);

/** The id of a row that need not be there. */
export const OptionalId = v.pipe(
  v.nullable(Bigint),
  v.transform((id) => id ?? undefined),
);

export const OptionalTime = v.pipe(
  v.nullable(v.date()),
  v.transform((time) => time ?? undefined),
);

/** The row of a statement that returns none. */
export const NoRow = v.never();
