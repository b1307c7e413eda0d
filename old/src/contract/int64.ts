import * as v from 'valibot';

export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/**
 * An int64 of the contract (sections 2.1 and 2.2), held as a bigint so that no digit is ever lost.
 * Accepts what `parseJson` yields for an integer: a safe number or a bigint within the range.
 */
export const Int64 = v.pipe(
  v.custom<number | bigint>(
    isInt64,
    ({ input }) => `must be an int64 integer${explainOverflow(input) ?? ''}`,
  ),
  v.metadata({ type: 'integer', format: 'int64' }),
  v.transform((value) => BigInt(value)),
);
export type Int64 = v.InferOutput<typeof Int64>;

/** Reads plain decimal digits with an optional minus sign; undefined for anything else and for what an int64 cannot hold. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}

/** ` (the largest is …)` for a whole number that no int64 can hold; undefined for anything else. */
export function explainOverflow(value: unknown): string | undefined {
  if (typeof value === 'object') return undefined;
  const [, sign, digits = ''] = /^(-?)0*(\d+)$/.exec(String(value)) ?? [];
  // A number of many digits is slow to read.
  if (digits.length < 19 || (digits.length === 19 && isInt64(BigInt(`${sign}${digits}`))))
    return undefined;
  return sign === '-' ? ` (the smallest is ${INT64_MIN})` : ` (the largest is ${INT64_MAX})`;
}

function isInt64(value: unknown): boolean {
  return typeof value === 'bigint'
    ? value >= INT64_MIN && value <= INT64_MAX
    : Number.isSafeInteger(value);
}
