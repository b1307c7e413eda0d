import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

/** Where a double could lose digits of a number: sixteen or more of them, or an exponent. */
const mayLoseDigits = /\d(?:[eE]|[\d.]{15})/;

/**
 * Parses JSON text (RFC 8259) without rounding: an integer beyond 2^53 - 1 becomes a bigint. The native parser, some ten
 * times faster, serves every text in which no number can lose digits.
 * @throws SyntaxError when the text is not JSON; RangeError when it is nested too deeply for the exact parser.
 */
export function parseJson(text: string): unknown {
  return mayLoseDigits.test(text)
    ? parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text);
}

/** Writes JSON in which a bigint is a plain integer, every digit kept. */
export function stringifyJson(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
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

/**
 * The first member name that occurs twice in the text of a JSON object whose values are not objects, or undefined.
 * No parser reports it: the native one keeps the last value.
 */
export function findDuplicateMember(text: string): string | undefined {
  const names = new Set<string>();
  // A run of characters is one match: one for each character would overflow the stack in a long text.
  for (const [, literal = '', colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    if (colon === '') continue;
    const name = String(JSON.parse(literal));
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** Far more than any integer of the contract has: one of millions of digits would be computed for minutes. */
const MAX_INTEGER_LENGTH = 100;

/** A number that no double holds exactly stays a LosslessNumber: no schema takes it, so it is refused and never rounded. */
function parseNumber(text: string): number | bigint | LosslessNumber {
  const integer = parseInteger(text);
  if (integer === undefined) return isSafeNumber(text) ? Number(text) : new LosslessNumber(text);
  const value = Number(integer);
  return Number.isSafeInteger(value) ? value : integer;
}

/** The integer that a number is, however it is written: `1e18`, `5.0`. Undefined where it has a fraction. */
function parseInteger(text: string): bigint | undefined {
  if (text.length > MAX_INTEGER_LENGTH) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  const zeros = whole.length + Number(exponent) - digits.length;
  if (digits === '') return 0n;
  if (zeros < 0 || digits.length + zeros > MAX_INTEGER_LENGTH) return undefined;
  return BigInt(sign + digits) * 10n ** BigInt(zeros);
}
