import { type Command, CommanderError } from 'commander';
import { UserError } from '../errors.ts';

/** A line that could not be understood, with the help to read. Every other error is returned as it is. */
export function explainUsage(error: unknown, program: Command): unknown {
  const command = findTypedCommand(program);
  const help = { try: [`${formatPath(command)} --help`] };
  if (error instanceof CommanderError)
    return new UserError('cli_usage', readMessage(error, command), { ...help, cause: error });
  if (error instanceof UserError && error.code === 'cli_usage' && error.try.length === 0) {
    const { message, details, cause } = error;
    return new UserError('cli_usage', message, { ...help, details, cause });
  }
  return error;
}

/** The last command on the line that is known. */
function findTypedCommand(command: Command): Command {
  const [word = ''] = command.args;
  const next = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
  return next === undefined ? command : findTypedCommand(next);
}

function formatPath(command: Command): string {
  const { parent } = command;
  return parent === null ? 'petstore' : `${formatPath(parent)} ${command.name()}`;
}

/** Commander's words, as a sentence. The value of an unknown option may be a secret. */
function readMessage({ code, message }: CommanderError, command: Command): string {
  if (code === 'commander.help') {
    const verbs = command.createHelp().visibleCommands(command);
    const names = verbs.map((verb) => verb.name()).join(', ');
    return `${formatPath(command)} needs one of: ${names}.`;
  }
  const text = message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=]+)=[^']*/, '$1')
    .replace(/\n\(Did you mean (.+)\?\)$/s, '. Did you mean $1?');
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?]$/.test(text) ? '' : '.');
}
