import { type Command, CommanderError } from 'commander';
import { UserError } from '../errors.ts';
import { findNearest } from '../input/find-nearest.ts';
import { listChoices } from './values.ts';
import { findVerb, listOptions, walkLine } from './walk-line.ts';

/** A line that could not be understood, with the help to read. Every other error is returned as it is. */
export function explainUsage(error: unknown, program: Command, argv: readonly string[]): unknown {
  const { command } = walkLine(program, argv);
  if (error instanceof CommanderError) {
    const dash = findDash(command, argv);
    if (dash !== undefined) return dash;
  }
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

/** @throws UserError for an option behind a dash of a word processor, which would be taken for a word. */
export function refuseDash(program: Command, argv: readonly string[]): void {
  const dash = findDash(walkLine(program, argv).command, argv);
  if (dash !== undefined) throw dash;
}

const wordProcessorDash = /^[\u2010-\u2015\u2212][\u2010-\u2015\u2212-]*(?=\p{L})/u;

function findDash(command: Command, argv: readonly string[]): UserError | undefined {
  const names = listOptions(command).flatMap(({ long, short }) => [long, short]);
  const repair = (word: string) => {
    const name = word.replace(wordProcessorDash, '').replace(/=.*/, '');
    return [`--${name}`, `-${name}`].find((option) => names.includes(option));
  };
  const wrong = argv.find((word) => wordProcessorDash.test(word) && repair(word) !== undefined);
  if (wrong === undefined) return undefined;
  const line = argv.map((word) => {
    const option = wordProcessorDash.test(word) ? repair(word) : undefined;
    return option === undefined ? word : option + word.replace(/^[^=]*/, '');
  });
  return new UserError('cli_usage', `"${wrong}" has the dash of a word processor, not a hyphen.`, {
    try: [['petstore', ...line]],
  });
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
  if (code === 'commander.unknownCommand') return explainUnknownCommand(message, command);
  if (code === 'commander.missingArgument') {
    const [, name] = /'(.+)'/.exec(message) ?? [];
    return `${formatPath(command)} needs <${name}>.`;
  }
  if (code === 'commander.optionMissingArgument') {
    const [, flags] = /'(.+)'/.exec(message) ?? [];
    return `${flags} needs a value.`;
  }
  if (code === 'commander.conflictingOption') {
    const [, one, other] =
      /'(.+?)(?: <.*?>)?' cannot be used with option '(.+?)(?: <.*?>)?'/.exec(message) ?? [];
    return `${one} and ${other} cannot be used together.`;
  }
  const [, typed, choices] =
    /'([^']*)' is invalid(?: for argument '.*')?\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  if (typed !== undefined && choices !== undefined) {
    return `"${typed}" cannot be used here: write ${listChoices(choices.split(', '))}.`;
  }
  const text = message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=]+)=[^']*/, '$1')
    .replace(/\n\(Did you mean (?:one of )?(.+)\?\)$/s, '. Did you mean $1?')
    .replace(/(Did you mean .*), (.*\?)$/, '$1 or $2');
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?]$/.test(text) ? '' : '.');
}

/** Words of other programs, for what no pet store can do. */
const petVerbs =
  /^(?:remove|rm|delete|del|erase|update|edit|change|modify|rename|undo|revert|sell)$/i;

function explainUnknownCommand(message: string, command: Command): string {
  const [, word = ''] = /'(.*)'/.exec(message) ?? [];
  if (petVerbs.test(word))
    return 'Pets cannot be changed or removed: tell whoever runs your pet store what is wrong.';
  const verbs = command.createHelp().visibleCommands(command);
  const names = verbs.flatMap((verb) => [verb.name(), ...verb.aliases()]);
  const nearest = findVerb(command, findNearest(word, names));
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest.name()}?`;
  return `Unknown command '${word}'.${hint}`;
}

function listVerbs(command: Command): string {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => verb.name()).join(', ');
}
