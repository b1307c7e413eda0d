import type { Argument, Command, Option } from 'commander';
import { findCommandHelp } from './command.ts';
import { formatNotes } from './format-help.ts';

/** What a word on the command line stands for, as far as a shell can help with it. */
export type Value =
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'environment' }
  | { kind: 'file' }
  | { kind: 'other' };

export interface OptionNode {
  /** `--env`; a shell completes it even where a short form exists. */
  long: string;
  short: string | undefined;
  /** As the help shows it: `-e, --env <name>`. */
  flags: string;
  description: string;
  /** Undefined for a switch. */
  value: Value | undefined;
}

export interface ArgumentNode {
  /** As the help shows it: `<name>` or `[name]`. */
  usage: string;
  description: string;
  value: Value;
}

/** A command as it was declared: the one source of help, completion and manual. */
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
}

export interface ProgramNode extends CommandNode {
  globalOptions: readonly OptionNode[];
}

/** Reads the declarations of a program whose commands are all loaded. */
export function readCommandTree(program: Command): ProgramNode {
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
  return {
    name: command.name(),
    aliases: command.aliases(),
    summary: command.summary() || command.description(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => readArgument(argument, command)),
    options: options.filter(({ long }) => !isGlobal.has(long)),
    commands: command.commands.map((verb) => readCommand(verb, isGlobal)),
    notes: readNotes(command),
  };
}

function readOption(option: Option): OptionNode {
  const { long, short, flags, description, required, optional, argChoices } = option;
  const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
  const takesEnvironment = ['--env', '--confirm'].includes(long ?? '');
  return {
    long: long ?? flags,
    short,
    flags,
    description,
    value: required || optional ? toValue(placeholder, argChoices, takesEnvironment) : undefined,
  };
}

function readArgument(argument: Argument, command: Command): ArgumentNode {
  const name = argument.name();
  const takesEnvironment = command.parent?.name() === 'env' && name === 'name';
  return {
    usage: argument.required ? `<${name}>` : `[${name}]`,
    description: argument.description,
    value: toValue(name, argument.argChoices, takesEnvironment),
  };
}

function toValue(
  placeholder: string,
  choices: readonly string[] | undefined,
  takesEnvironment: boolean,
): Value {
  if (choices !== undefined) return { kind: 'choice', choices };
  if (takesEnvironment) return { kind: 'environment' };
  return /^(file|path)\b/.test(placeholder) ? { kind: 'file' } : { kind: 'other' };
}

function readNotes(command: Command): string {
  const help = findCommandHelp(command);
  return help === undefined ? '' : formatNotes(help);
}
