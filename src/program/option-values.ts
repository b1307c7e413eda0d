import { InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../errors.ts';

/** An option that takes one word of a closed list; its description lists the words. */
export function choiceOption(
  flags: string,
  description: string,
  choices: readonly string[],
): Option {
  return new Option(flags, `${description}: ${choices.join(', ')}`)
    .choices(choices)
    .argParser(parseChoice(choices));
}

/** Reads one word of a closed list, for an option or an argument. */
export function parseChoice<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((known) => known === text);
    if (choice !== undefined) return choice;
    throw invalidValue(text, `one of ${choices.join(', ')}.${didYouMean(text, choices)}`);
  };
}

/** @param expected what the value is not, and what to write: `a limit: write a whole number from 1`. */
export function invalidValue(text: string, expected: string): InvalidArgumentError {
  return new InvalidArgumentError(`${JSON.stringify(text)} is not ${expected}`);
}

const unitsInMs: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads `500ms`, `30s`, `2m`, `12h` or `90d` into milliseconds. */
export function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = unitsInMs[unit ?? ''];
  if (digits !== undefined && factor !== undefined && Number(digits) > 0) {
    return Number(digits) * factor;
  }
  throw invalidValue(text, 'a duration: write a number and its unit, such as 500ms, 30s or 2m');
}
