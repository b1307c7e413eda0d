import type { Command, CommanderError } from 'commander';
import { UserError } from '../../errors.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { findCommandHelp } from '../command.ts';

/** A line that commander did not understand, as an error with the way to the right help. @param argv the whole line. */
export function toUsageError(
  error: CommanderError,
  command: Command,
  argv: readonly string[],
): UserError {
  const advice = findCommandHelp(command)?.tooManyArguments;
  if (error.code === 'commander.excessArguments' && advice !== undefined) {
    return new UserError('cli_usage', advice, {
      next: [formatShellLine(['petstore', ...joinArguments(argv, command)])],
      cause: error,
    });
  }
  return new UserError('cli_usage', formatMessage(error, command), {
    next: [`${formatPath(command)} --help`],
    cause: error,
  });
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
    case 'commander.conflictingOption':
      return message.replace(
        /^option '(\S+).*' cannot be used with option '(\S+).*'$/,
        '$1 has no effect with $2: leave one of them out',
      );
    default:
      return message
        .replace(/\n\(?(Did you mean .*\?)\)?/s, '. $1')
        .replace(/^\w/, (letter) => letter.toUpperCase());
  }
}

/** The words that were typed with the arguments as one; without the options where those stand in between. */
function joinArguments(argv: readonly string[], command: Command): string[] {
  const { args } = command;
  const start = argv.findIndex((_, index) =>
    args.every((arg, offset) => argv[index + offset] === arg),
  );
  return start === -1
    ? [command.name(), args.join(' ')]
    : [...argv.slice(0, start), args.join(' '), ...argv.slice(start + args.length)];
}

function formatPath(command: Command): string {
  return command.parent === null
    ? command.name()
    : `${formatPath(command.parent)} ${command.name()}`;
}
