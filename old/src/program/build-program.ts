import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import type { CommandEntry, RunAction } from './command.ts';
import { toUsageError } from './errors/usage-error.ts';
import { formatHelp } from './format-help.ts';
import { addGlobalOptions } from './global-options.ts';

interface ProgramInput {
  commands: readonly CommandEntry[];
  /** The line to be parsed, which errors may repeat. */
  argv: readonly string[];
  /** Makes the actions of the verbs. */
  act: RunAction;
  /** Takes the text of help and version. */
  writeOut(text: string): void;
  helpWidth(): number;
}

/** Builds the command line. A command's declaration is loaded when its name was typed, its verb when it runs. */
export function buildProgram(input: ProgramInput): Command {
  const program = new Command('petstore');
  configure(program, input);
  program
    .usage('<command> [options]')
    .description('List, add and look up the pets of a pet store.')
    .version(version, '-V, --version', 'print the version');
  addGlobalOptions(program);
  for (const entry of input.commands) addEntry(program, entry);
  program.hook('preSubcommand', (_, command) => loadDeclaration(input, command));
  return program;
}

/** Loads what can follow the name of a command. */
export async function loadDeclaration(
  { commands, argv, act }: Pick<ProgramInput, 'commands' | 'argv' | 'act'>,
  command: Command,
): Promise<void> {
  const entry = commands.find(({ name }) => name === command.name());
  (await entry?.load())?.declare(command, act);
  completeCommand(command, argv);
}

function configure(program: Command, { argv, writeOut, helpWidth }: ProgramInput): void {
  program
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({ formatHelp })
    .configureOutput({
      writeOut,
      // Errors are thrown and reported at one place; commander's own line would be a second one.
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: helpWidth,
      getOutHasColors: () => false,
    })
    .exitOverride(rethrow(program, argv));
}

function addEntry(program: Command, { name, alias, summary, isHidden }: CommandEntry): void {
  const command = program.command(name, { hidden: isHidden ?? false });
  command.summary(summary).description(summary);
  if (alias !== undefined) command.alias(alias);
}

/** After its declaration: global options after its own, groups that need a verb, errors that name the command. */
function completeCommand(command: Command, argv: readonly string[]): void {
  command.helpCommand(false).exitOverride(rethrow(command, argv));
  addGlobalOptions(command);
  if (command.commands.length > 0) command.enablePositionalOptions();
  for (const verb of command.commands) completeCommand(verb, argv);
}

function rethrow(command: Command, argv: readonly string[]): (error: CommanderError) => never {
  return (error) => {
    throw error.exitCode === 0 ? error : toUsageError(error, command, argv);
  };
}

/** Puts the arguments beside the options, under their names in camel case. */
export function storeArguments(command: Command): void {
  command.registeredArguments.forEach((argument, index) => {
    const value: unknown = command.processedArgs[index];
    if (value !== undefined) command.setOptionValue(toCamelCase(argument.name()), value);
  });
}

function toCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function isHelpShown(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
