import type { Command, OptionValues } from 'commander';
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
  /** What `petstore help` explains besides commands, even where an alias has the same name. */
  topics?: readonly string[];
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
  /** Advice where more arguments came than the command takes; they are quoted together in the line that it suggests. */
  tooManyArguments?: string;
}

const helps = new WeakMap<Command, CommandHelp>();

export function describeCommand(command: Command, help: CommandHelp): void {
  helps.set(command, help);
}

/** Undefined for a group of commands and for the program. */
export function findCommandHelp(command: Command): CommandHelp | undefined {
  return helps.get(command);
}
