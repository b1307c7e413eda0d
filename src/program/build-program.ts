import { Command } from 'commander';
import { version } from '../version.ts';
import type { CommandEntry, RunAction } from './command.ts';
import { rootHelp } from './help.ts';
import { listGlobalOptions } from './options.ts';

export interface ProgramHooks {
  readonly run: RunAction;
  /** Takes the text of help and version. */
  writeOut(text: string): void;
}

/** Builds the command line. What follows a command's name is declared when that name was typed. */
export function buildProgram(
  commands: readonly CommandEntry[],
  { run, writeOut }: ProgramHooks,
): Command {
  const program = new Command('petstore')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .configureHelp({ visibleArguments: () => [], commandDescription: () => '', helpWidth: 80 })
    // Errors are thrown, and reported at one place.
    .configureOutput({ writeOut, writeErr: () => {}, outputError: () => {} })
    .exitOverride();
  program.helpInformation = () => rootHelp;
  for (const option of listGlobalOptions()) program.addOption(option);
  for (const { name, aliases = [], summary } of commands)
    program.command(name).aliases(aliases).summary(summary);
  program.hook('preSubcommand', (_, command) => declareCommand(commands, command, run));
  return program;
}

/** The whole command line with every command declared, to be read and not to be run: for completion and the manual. */
export async function loadProgram(commands: readonly CommandEntry[]): Promise<Command> {
  const run = () => () => Promise.reject(new Error('This command line is only read.'));
  const program = buildProgram(commands, { run, writeOut: () => {} });
  for (const command of program.commands) await declareCommand(commands, command, run);
  return program;
}

async function declareCommand(
  commands: readonly CommandEntry[],
  command: Command,
  run: RunAction,
): Promise<void> {
  const entry = commands.find(({ name }) => name === command.name());
  (await entry?.load())?.declare(command, run);
}
