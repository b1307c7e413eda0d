import { type Command, InvalidArgumentError, Option, type OptionValues } from 'commander';
import { explainOverflow, type Int64, parseInt64 } from '../contract/int64.ts';
import { didYouMean } from '../errors.ts';
import type { Context } from './context/context.ts';
import type { GlobalOptionGroup } from './global-options.ts';

/** What a command does once its line was understood. `options` holds its options, and its arguments by their names. */
type Verb<Options> = (context: Context, options: Options) => Promise<void>;

/**
 * Turns "where the verb is" into a commander action: the verb's file is loaded only when it was typed.
 * The shape of `Options` is what the declaration beside it says; commander itself is not typed.
 */
export type RunAction = <Options extends OptionValues>(
  load: () => Promise<Verb<Options>>,
) => (this: Command) => Promise<void>;

/** A top-level command as the program knows it before it was typed. */
export interface CommandEntry {
  name: string;
  alias?: string;
  summary: string;
  /** Not in help and completion: a command of another edition of the program, which only says so. */
  isHidden?: boolean;
  /** Loads the declaration: arguments, options, help, verbs. */
  load(): Promise<{ declare(command: Command, act: RunAction): void }>;
}

/** What the help of a command says besides its description and options. */
export interface CommandHelp {
  examples: readonly string[];
  /** What arrives on stdout. */
  output: string;
  /** Exit codes this command is likely to end with, besides 0, 1 and 2. */
  exitCodes?: string;
  /** The global options that do something for this command. */
  globalOptions?: readonly GlobalOptionGroup[];
  /** What to say of arguments that this command does not take. */
  misplacedArguments?: MisplacedArguments;
}

/** Arguments that were probably meant otherwise; they are quoted together in the line that is suggested. */
export interface MisplacedArguments {
  /** Where more came than the command takes. */
  readonly advice: string;
  /** The verb and the option that take them, where it is not this verb and its argument. */
  readonly verb?: string;
  readonly option?: string;
  /** Whether these words can have been meant so; all can, unless said. */
  fits?(words: string): boolean;
}

/** What `petstore help` explains besides commands. Apart from the texts, which are loaded when asked for. */
export const topicNames = [
  'start',
  'environments',
  'support',
  'output',
  'options',
  'exit-codes',
  'deprecation',
] as const;
export type Topic = (typeof topicNames)[number];

const helps = new WeakMap<Command, CommandHelp>();

export function describeCommand(command: Command, help: CommandHelp): void {
  helps.set(command, help);
}

/** Undefined for a group of commands and for the program. */
export function findCommandHelp(command: Command): CommandHelp | undefined {
  return helps.get(command);
}

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

/** A parser of option values. @param read undefined for what is not `expected`. */
export function parseAs<T>(
  read: (text: string) => T | undefined,
  expected: string,
): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw invalidValue(text, expected);
    return value;
  };
}

/** A parser of an int64, such as an id. @param what it is: `a category number`. */
export function parseInt64As(what: string, example: string): (text: string) => Int64 {
  return (text) => {
    const value = parseInt64(text);
    if (value !== undefined) return value;
    const overflow = explainOverflow(text);
    throw invalidValue(text, `${what}${overflow ?? `: write a whole number such as ${example}`}`);
  };
}

const unitsInMs: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const readDuration = parseAs((text) => {
  const [, digits, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(digits) * (unitsInMs[unit] ?? 0);
  return ms > 0 ? ms : undefined;
}, 'a duration: write a number and its unit, such as 500ms, 30s or 2m');

/** Reads `500ms`, `30s`, `2m`, `12h` or `90d` into milliseconds. @param expected what a longer one is not. */
export function parseDurationUpTo(maxMs: number, expected: string): (text: string) => number {
  return (text) => {
    const ms = readDuration(text);
    if (ms <= maxMs) return ms;
    throw invalidValue(text, expected);
  };
}

const MAX_DAYS = 36_500;

/** Added to the time of now, or taken from it, a longer one may be no time at all: a key would get no end. */
export const parseDuration = parseDurationUpTo(
  MAX_DAYS * 86_400_000,
  `a duration: at most ${MAX_DAYS}d`,
);
