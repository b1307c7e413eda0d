import * as v from 'valibot';

/** A time, stored as milliseconds since the epoch. */
export const Time = v.pipe(
  v.bigint(),
  v.transform((milliseconds) => new Date(Number(milliseconds))),
);
export const OptionalTime = v.pipe(
  v.nullable(Time),
  v.transform((time) => time ?? undefined),
);

/** The id of a row that need not be there. */
export const OptionalId = v.pipe(
  v.nullable(v.bigint()),
  v.transform((id) => id ?? undefined),
);
