import * as v from 'valibot';

/** The driver hands a bigint over as text, which keeps every digit. */
export const Bigint = v.pipe(v.string(), v.toBigint());

/** A time, stored in milliseconds since the epoch: as a bigint no DateStyle and no time zone can change it. */
export const Time = v.pipe(
  v.string(),
  v.transform((milliseconds) => new Date(Number(milliseconds))),
);
export const OptionalTime = v.pipe(
  v.nullable(Time),
  v.transform((time) => time ?? undefined),
);
