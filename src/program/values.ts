import { type Int64, parseInt64 } from '../contract/int64.ts';
import { type CommandLine, UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
import { findNearest } from '../input/find-nearest.ts';

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads an int64 that was typed. @param what such as `a category number`. @throws UserError `cli_usage`. */
export function parseTypedInt64(
  text: string,
  what: string,
  next: readonly CommandLine[] = [],
): Int64 {
  const value = parseInt64(text.trim());
  if (value !== undefined) return value;
  throw explainMistyped(text, what, 'write a whole number such as 7', next);
}

/** Reads a whole number between two limits. @throws UserError `cli_usage`. */
export function parseWholeNumber(
  text: string,
  what: string,
  { min, max }: { min: number; max: number },
): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw explainMistyped(text, what, `write a whole number from ${min} to ${max}`);
}

/** The name of a file. Without one, a script's variable has nothing in it. @throws UserError `cli_usage`. */
export function parseFileName(text: string): string {
  if (text.trim() !== '') return text;
  throw explainMistyped(text, 'the name of a file', 'write one such as pets.csv');
}

/** A time that is further away may have a year of five digits, or be none at all. */
const HUNDRED_YEARS = '36500d';

/** Reads a duration such as `500ms`, `30s`, `2m`, `12h` or `90d`, in milliseconds. @throws UserError `cli_usage`. */
export function parseDuration(text: string, what: string, limit = HUNDRED_YEARS): number {
  const value = readDuration(text);
  const max = readDuration(limit);
  if (value !== undefined && max !== undefined && value <= max) return value;
  const cure = `write a number with ms, s, m, h or d, such as 30s, at most ${limit}`;
  throw explainMistyped(text, what, cure);
}

function readDuration(text: string): number | undefined {
  const [, amount, unit] = /^([1-9]\d{0,8})(ms|s|m|h|d)$/.exec(text) ?? [];
  const known = Object.entries(unitMs).find(([name]) => name === unit);
  return known && Number(amount) * known[1];
}

/** Reads one of a few words, in any case. @throws UserError `cli_usage` that names them, the nearest one first. */
export function parseChoice<Choice extends string>(
  text: string,
  what: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text.trim().toLowerCase());
  if (found !== undefined) return found;
  const nearest = findNearest(text, choices);
  const hint = nearest === undefined ? '' : `did you mean ${nearest}? `;
  throw explainMistyped(text, what, `${hint}write ${listChoices(choices)}`);
}

/** `available, pending or sold` */
export function listChoices(choices: readonly string[]): string {
  return choices.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

function explainMistyped(
  text: string,
  what: string,
  cure: string,
  next: readonly CommandLine[] = [],
): UserError {
  return new UserError('cli_usage', `${quoteValue(text)} is not ${what}: ${cure}.`, { try: next });
}
