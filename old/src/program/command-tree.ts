import type { Argument, Command, Option } from 'commander';
import { buildProgram, loadDeclaration } from './build-program.ts';
import { type CommandEntry, type CommandHelp, findCommandHelp } from './command.ts';
import { formatNotes } from './format-help.ts';

/** What a word on the command line stands for, as far as a shell can help with it. */
export interface Value {
  kind: 'choice' | 'environment' | 'file' | 'other';
  /** Of a choice. */
  choices: readonly string[];
}

export type OptionNode = ReturnType<typeof readOption>;
export type ArgumentNode = ReturnType<typeof readArgument>;

/** A command as it was declared: the one source of completion and manual. */
export interface CommandNode {
  name: string;
  aliases: readonly string[];
  summary: string;
  description: string;
  arguments: readonly ArgumentNode[];
  /** Its own, without the global ones. */
  options: readonly OptionNode[];
  commands: readonly CommandNode[];
  /** Examples, output and exit codes, for the manual. */
  notes: string;
  /** Undefined for a group of commands and for the program. */
  help: CommandHelp | undefined;
}

export interface ProgramNode extends CommandNode {
  globalOptions: readonly OptionNode[];
}

/** Loads every declaration, to be described and not to be run. */
export async function describeProgram(commands: readonly CommandEntry[]): Promise<ProgramNode> {
  const refuse = () => {
    throw new Error('This command line is only to be read.');
  };
  const visible = commands.filter(({ isHidden }) => !isHidden);
  const act = () => refuse;
  const input = { commands: visible, argv: [], act, writeOut: refuse, helpWidth: () => 80 };
  const program = buildProgram(input);
  for (const command of program.commands) await loadDeclaration(input, command);
  // Only the program itself takes --version.
  const globalOptions = listOptions(program).filter(({ long }) => long !== '--version');
  const isGlobal = new Set(globalOptions.map(({ long }) => long));
  return { ...readCommand(program, isGlobal), globalOptions };
}

/** With `--help`, which commander does not count among the options. */
function listOptions(command: Command): OptionNode[] {
  return command.createHelp().visibleOptions(command).map(readOption);
}

function readCommand(command: Command, isGlobal: ReadonlySet<string>): CommandNode {
  const options = listOptions(command);
  const help = findCommandHelp(command);
  return {
    name: command.name(),
    aliases: command.aliases(),
    summary: command.summary() || command.description(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => readArgument(argument, command)),
    options: options.filter(({ long }) => !isGlobal.has(long)),
    commands: command.commands.map((verb) => readCommand(verb, isGlobal)),
    notes: help === undefined ? '' : formatNotes(help),
    help,
  };
}

function readOption({ long, short, flags, ...option }: Option) {
  const { description, required, optional, argChoices } = option;
  const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
  const takesEnvironment = ['--env', '--confirm'].includes(long ?? '');
  const value = readValue(placeholder, argChoices, takesEnvironment);
  /** A shell completes the long form, even where a short one exists; a switch takes no value. */
  return {
    long: long ?? flags,
    short,
    flags,
    description,
    value: required || optional ? value : undefined,
  };
}

function readArgument(argument: Argument, command: Command) {
  const { description, required, argChoices } = argument;
  const name = argument.name();
  const takesEnvironment = command.parent?.name() === 'env' && name === 'name';
  const value = readValue(name, argChoices, takesEnvironment);
  return { usage: required ? `<${name}>` : `[${name}]`, description, value };
}

function readValue(
  placeholder: string,
  choices: readonly string[] | undefined,
  takesEnvironment: boolean,
): Value {
  if (choices !== undefined) return { kind: 'choice', choices };
  const isFile = /^(file|path)\b/.test(placeholder);
  return { kind: takesEnvironment ? 'environment' : isFile ? 'file' : 'other', choices: [] };
}
