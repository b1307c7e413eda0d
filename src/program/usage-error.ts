import { type Command, CommanderError } from 'commander';
import { UserError } from '../errors.ts';
import { findNearest } from '../input/find-nearest.ts';
import { listChoices } from './values.ts';
import { findVerb, listOptions, type Walk, walkLine } from './walk-line.ts';

/** A line that could not be understood, with the help to read. Every other error is returned as it is. */
export function explainUsage(error: unknown, program: Command, argv: readonly string[]): unknown {
  const walk = walkLine(program, argv);
  const { command } = walk;
  if (error instanceof CommanderError) {
    const dash = findDash(command, argv);
    if (dash !== undefined) return dash;
  }
  const help = { try: [[...formatPath(command).split(' '), '--help']] };
  if (error instanceof CommanderError)
    return new UserError('cli_usage', readMessage(error, walk), { ...help, cause: error });
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
  const line = argv.map((word) => {
    const name = word.replace(wordProcessorDash, '');
    const options = name === word ? [] : [`--${name}`, `-${name}`];
    return options.find((option) => names.includes(option.replace(/=.*/, ''))) ?? word;
  });
  const wrong = argv.find((word, index) => word !== line[index]);
  if (wrong === undefined) return undefined;
  return new UserError('cli_usage', `"${wrong}" has the dash of a word processor, not a hyphen.`, {
    try: [['petstore', ...line]],
  });
}

function formatPath(command: Command): string {
  const { parent } = command;
  return parent === null ? 'petstore' : `${formatPath(parent)} ${command.name()}`;
}

/** Commander's words, as a sentence. The value of an unknown option may be a secret. */
function readMessage({ code, message }: CommanderError, { command, option }: Walk): string {
  const path = formatPath(command);
  const verbs = listVerbs(command);
  if (code === 'commander.help') return `${path} needs one of: ${verbs.join(', ')}.`;
  if (code === 'commander.excessArguments' && command.registeredArguments.length === 0)
    return verbs.length === 0
      ? `${path} takes no arguments.`
      : `${path} knows only: ${verbs.join(', ')}.`;
  // Of several in one word, such as -qs, it is not known which.
  if (code === 'commander.optionMissingArgument' && option) return `${option.flags} needs a value.`;
  if (code === 'commander.unknownCommand') return explainUnknownCommand(message, command);
  if (code === 'commander.missingArgument')
    return `${path} needs <${/'(.+)'/.exec(message)?.[1] ?? ''}>.`;
  const [, typed, choices] =
    /'([^']*)' is invalid(?: for argument '.*')?\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  if (typed !== undefined && choices !== undefined)
    return `"${typed}" cannot be used here: write ${listChoices(choices.split(', '))}.`;
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

function listVerbs(command: Command): string[] {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => verb.name());
}
