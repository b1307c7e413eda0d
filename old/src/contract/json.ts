import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import * as v from 'valibot';

/** Where a double could lose digits of a number: sixteen or more of them, or an exponent. */
const mayLoseDigits = /\d(?:[eE]|[\d.]{15})/;

/**
 * Parses JSON text (RFC 8259) without rounding: an integer beyond 2^53 - 1 becomes a bigint.
 * The native parser, some ten times faster, serves every text in which no number can lose digits.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  return mayLoseDigits.test(text)
    ? parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text);
}

/** Where a number may be written as a fraction or with an exponent, of which the native parser can make an integer. */
const mayBeFraction = /[.eE][-+]?\d/;

/**
 * Parses JSON text by a schema that takes no other numbers than int64, without rounding. An integer that the native
 * parser rounds is not a safe one, so the schema refuses it, and only then each number is looked at.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJsonBy<Schema extends v.GenericSchema>(
  text: string,
  schema: Schema,
  config?: v.Config<v.InferIssue<Schema>>,
): v.SafeParseResult<Schema> {
  if (!mayBeFraction.test(text)) {
    const result = v.safeParse(schema, JSON.parse(text), config);
    if (result.success) return result;
  }
  return v.safeParse(schema, parseJson(text), config);
}

/** Whether a parsed value was an object in its text; a schema also takes an array, or a number kept in its digits, for one. */
export function isJsonObject(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LosslessNumber)
  );
}

/** Writes JSON in which a bigint is a plain integer, every digit kept. */
export function stringifyJson(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

/** Far more than any integer of the contract has: one of millions of digits would be computed for minutes. */
const MAX_INTEGER_LENGTH = 100;

/** A number that no double holds exactly stays a LosslessNumber: no schema takes it, so it is refused and never rounded. */
function parseNumber(text: string): number | bigint | LosslessNumber {
  if (text.length <= MAX_INTEGER_LENGTH && /^-?\d+$/.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  return isSafeNumber(text) ? Number(text) : new LosslessNumber(text);
}
