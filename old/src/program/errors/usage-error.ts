import type { Command, CommanderError } from 'commander';
import { UserError } from '../../errors.ts';
import { formatOption, formatShellLine } from '../../terminal/text/shell-line.ts';
import { findCommandHelp, type MisplacedArguments } from '../command.ts';
import { refuseKeyArgument } from './key-argument.ts';
import { explainVerb } from './other-verbs.ts';

/** A line that commander did not understand, as an error with the way to the right help. @param argv the whole line. */
export function toUsageError(
  error: CommanderError,
  command: Command,
  argv: readonly string[],
): UserError {
  const key = refuseKeyArgument(error, command, argv);
  if (key !== undefined) return key;
  const misplaced = suggestForArguments(error, command, argv);
  const isMisplaced = misplaced !== undefined && error.code === 'commander.excessArguments';
  const unknown =
    error.code === 'commander.unknownCommand' ? explainVerb(argv, command) : undefined;
  const message =
    unknown?.message ?? (isMisplaced ? misplaced.advice : formatMessage(error, command));
  const next = unknown ? unknown.next : (misplaced?.next ?? `${formatPath(command)} --help`);
  return new UserError('cli_usage', message, {
    next: next === undefined ? [] : [next],
    cause: error,
  });
}

/** The line that was probably meant, where arguments do not fit the command. */
function suggestForArguments(
  { code, message }: CommanderError,
  command: Command,
  argv: readonly string[],
): { advice: string; next: string } | undefined {
  const misplaced = findCommandHelp(command)?.misplacedArguments;
  const isArgument =
    code === 'commander.excessArguments' || message.includes('command-argument value');
  if (misplaced === undefined || !isArgument) return undefined;
  const words = command.args.join(' ');
  if (misplaced.fits?.(words) === false) return undefined;
  const line = replaceArguments(argv, command, misplaced);
  return { advice: misplaced.advice, next: formatShellLine(['petstore', ...line]) };
}

function formatMessage(error: CommanderError, command: Command): string {
  if (error.code === 'commander.help') {
    const verbs = command.commands.map((verb) => verb.name());
    return `${formatPath(command)} needs one of: ${verbs.join(', ')}`;
  }
  const message = error.message.replace(/^error: /, '');
  switch (error.code) {
    case 'commander.invalidArgument':
      // What follows names the value itself, in words for people.
      return message.replace(/^(?:option|command-argument) .* is invalid(?: for .*?)?\. /s, '');
    case 'commander.missingArgument':
      return message.replace(/^.*'(.+)'$/, 'Missing: <$1>');
    case 'commander.unknownOption':
      // The value of an unknown option may be a secret.
      return withSuggestion(message.replace(/'(-[^'=\n]*)=[^\n]*'/, "'$1'"));
    case 'commander.missingMandatoryOptionValue':
      return message.replace(/^.*'(.+)'.*$/, 'Missing: $1');
    case 'commander.excessArguments':
      return message.replace(
        /^Too many arguments for '(.+)'\. Expected (\d+) .* got (\d+).*$/i,
        'Too many arguments: $1 takes $2, but $3 were given.',
      );
    case 'commander.conflictingOption':
      return message.replace(
        /^option '(\S+).*' cannot be used with option '(\S+).*'$/,
        '$1 has no effect with $2: leave one of them out',
      );
    default:
      return withSuggestion(message);
  }
}

function withSuggestion(message: string): string {
  return message
    .replace(/\n\(?(Did you mean .*\?)\)?/s, '. $1')
    .replace(/^\w/, (letter) => letter.toUpperCase());
}

/** The words that were typed, with the arguments as one; without the options where those stand in between. */
function replaceArguments(
  argv: readonly string[],
  command: Command,
  { verb = command.name(), option }: MisplacedArguments,
): string[] {
  const { args } = command;
  const text = args.join(' ');
  const meant = option === undefined ? [text] : formatOption(option, text);
  const start = argv.findIndex((_, index) =>
    args.every((arg, offset) => argv[index + offset] === arg),
  );
  const typed = argv.indexOf(command.name());
  if (start === -1 || typed === -1) return [verb, ...meant];
  const before = argv.slice(0, start).map((word, index) => (index === typed ? verb : word));
  return [...before, ...meant, ...argv.slice(start + args.length)];
}

function formatPath(command: Command): string {
  return command.parent === null
    ? command.name()
    : `${formatPath(command.parent)} ${command.name()}`;
}
