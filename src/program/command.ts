import type { Command } from 'commander';
import type { Context } from './context.ts';

/** A row of the table of commands: what can be typed first. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Loaded when its name was typed. */
  load(): Promise<CommandModule>;
}

/** What a command's file exports. */
interface CommandModule {
  /** Declares arguments, options and actions; for a group also its verbs. */
  declare(command: Command, run: RunAction): void;
}

/** Makes commander call an action with the context first, then the arguments, then the options. */
export type RunAction = <Words extends unknown[]>(
  action: (context: Context, ...words: Words) => Promise<void>,
) => (...words: Words) => Promise<void>;
