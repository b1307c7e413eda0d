import type { Command, CommanderError } from 'commander';
import { UserError } from '../../errors.ts';

/** A line that commander did not understand, as an error with the way to the right help. */
export function toUsageError(error: CommanderError, command: Command): UserError {
  return new UserError('cli_usage', readMessage(error, command), {
    next: [`${namePath(command)} --help`],
    cause: error,
  });
}

function readMessage(error: CommanderError, command: Command): string {
  if (error.code === 'commander.help') {
    const verbs = command.commands.map((verb) => verb.name());
    return `${namePath(command)} needs one of: ${verbs.join(', ')}`;
  }
  return error.message
    .replace(/^error: /, '')
    .replace(/\n\(?(Did you mean .*\?)\)?/s, '. $1')
    .replace(/^\w/, (letter) => letter.toUpperCase());
}

function namePath(command: Command): string {
  return command.parent === null ? command.name() : `${namePath(command.parent)} ${command.name()}`;
}
