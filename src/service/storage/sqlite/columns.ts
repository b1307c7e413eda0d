import * as v from 'valibot';

/** A time, stored in milliseconds since the epoch. */
export const Time = v.pipe(
  v.bigint(),
  v.transform((milliseconds) => new Date(Number(milliseconds))),
);
export const OptionalTime = v.pipe(
  v.nullable(Time),
  v.transform((time) => time ?? undefined),
);
