import type { Command, OptionValues } from 'commander';
import type { Context } from './context/context.ts';

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
  /** Loads the declaration: arguments, options, help, verbs. */
  load(): Promise<{ declare(command: Command, act: RunAction): void }>;
}

/** The lines after a command's options in its help. */
export interface CommandHelp {
  examples: readonly string[];
  /** What arrives on stdout. */
  output: string;
  /** Exit codes this command is likely to end with, besides 0, 1 and 2. */
  exitCodes?: string;
}

/** Adds examples, output shape and exit codes to a command's help. */
export function describeCommand(command: Command, help: CommandHelp): Command {
  const lines = [
    '',
    'Examples:',
    ...help.examples.map((example) => `  $ ${example}`),
    '',
    `Output:\n  ${help.output.split('\n').join('\n  ')}`,
    '',
    `Exit codes:\n  0 done, 1 unexpected, 2 usage${help.exitCodes ? `, ${help.exitCodes}` : ''} (petstore help exit-codes)`,
  ];
  return command.addHelpText('after', lines.join('\n'));
}
