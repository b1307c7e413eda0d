import { type Command, CommanderError } from 'commander';
import { UserError } from '../errors.ts';

/** A line that could not be understood, with the help to read. Every other error is returned as it is. */
export function explainUsage(error: unknown, program: Command, argv: readonly string[]): unknown {
  const command = findTypedCommand(program, argv);
  const help = { try: [[...formatPath(command).split(' '), '--help']] };
  if (error instanceof CommanderError)
    return new UserError('cli_usage', readMessage(error, command), { ...help, cause: error });
  if (error instanceof UserError && error.code === 'cli_usage' && error.try.length === 0) {
    const { message, details, cause } = error;
    return new UserError('cli_usage', message, { ...help, details, cause });
  }
  return error;
}

/** @throws UserError for a line with an API key of this service in it. */
export function refuseKeys(argv: readonly string[]): void {
  if (!argv.some((word) => /pst_\w{40}/.test(word))) return;
  throw new UserError('cli_usage', 'An API key cannot be given as an argument.', {
    details: [
      "It is now in your shell's history: ask whoever runs the service to revoke it and to give you a new one.",
    ],
    try: [['petstore', 'login']],
  });
}

/** The command that the words lead to, as far as they are known. */
function findTypedCommand(program: Command, argv: readonly string[]): Command {
  return argv.reduce<Command>((command, word) => {
    const next = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
    return next ?? command;
  }, program);
}

function formatPath(command: Command): string {
  const { parent } = command;
  return parent === null ? 'petstore' : `${formatPath(parent)} ${command.name()}`;
}

/** Commander's words, as a sentence. The value of an unknown option may be a secret. */
function readMessage({ code, message }: CommanderError, command: Command): string {
  if (code === 'commander.help')
    return `${formatPath(command)} needs one of: ${listVerbs(command)}.`;
  if (code === 'commander.excessArguments' && command.registeredArguments.length === 0) {
    const verbs = listVerbs(command);
    const known = verbs === '' ? 'takes no arguments' : `knows only: ${verbs}`;
    return `${formatPath(command)} ${known}.`;
  }
  const text = message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=]+)=[^']*/, '$1')
    .replace(/\n\(Did you mean (.+)\?\)$/s, '. Did you mean $1?');
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?]$/.test(text) ? '' : '.');
}

function listVerbs(command: Command): string {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => verb.name()).join(', ');
}
