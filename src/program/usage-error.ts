import { type Command, CommanderError } from 'commander';
import { UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
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

/** What commander found, as a sentence of ours. */
function readMessage({ code, message }: CommanderError, command: Command): string {
  const path = formatPath(command);
  const options = message.match(/--[\w-]+/g) ?? [];
  switch (code) {
    case 'commander.help':
      return `${path} needs one of: ${listVerbs(command).join(', ')}.`;
    case 'commander.missingArgument':
      return `${path} needs <${/'(.+)'/.exec(message)?.[1] ?? ''}>.`;
    case 'commander.missingMandatoryOptionValue':
      return `${path} needs ${options[0]}.`;
    case 'commander.optionMissingArgument':
      return `${options[0]} needs a value.`;
    case 'commander.conflictingOption':
      return `${options.join(' and ')} cannot be used together.`;
    case 'commander.excessArguments':
      return explainExcess(command);
    case 'commander.unknownCommand':
      return explainUnknownCommand(message, command);
    default:
      return explainUnknownOption(message);
  }
}

function explainExcess(command: Command): string {
  const path = formatPath(command);
  const verbs = listVerbs(command);
  const names = command.registeredArguments.map((one) => `<${one.name()}>`);
  if (names.length > 0)
    return `${path} takes only ${names.join(' and ')}; one with spaces in it needs quotes.`;
  return verbs.length === 0
    ? `${path} takes no arguments.`
    : `${path} knows only: ${verbs.join(', ')}.`;
}

/** Without what stands behind its name, which may be a secret. */
function explainUnknownOption(message: string): string {
  const [, name = ''] = /unknown option '([^'=]+)/.exec(message) ?? [];
  const [, nearest] = /\n\(Did you mean (?:one of )?(.+)\?\)$/.exec(message) ?? [];
  const hints = nearest?.split(', ') ?? [];
  if (hints.includes(name)) return `${name} takes no value.`;
  const hint = hints.length === 0 ? '' : ` Did you mean ${listChoices(hints)}?`;
  return `Unknown option ${quoteValue(name)}.${hint}`;
}

/** Words of other programs, for what no pet store can do. */
const petVerbs =
  /^(?:remove|rm|delete|del|erase|update|edit|change|modify|rename|undo|revert|sell)$/i;

function explainUnknownCommand(message: string, command: Command): string {
  const [, word = ''] = /unknown command '(.*)'/s.exec(message) ?? [];
  if (petVerbs.test(word))
    return 'Pets cannot be changed or removed: tell whoever runs your pet store what is wrong.';
  const verbs = command.createHelp().visibleCommands(command);
  const names = verbs.flatMap((verb) => [verb.name(), ...verb.aliases()]);
  const nearest = findVerb(command, findNearest(word, names));
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest.name()}?`;
  return `Unknown command ${quoteValue(word)}.${hint}`;
}

function listVerbs(command: Command): string[] {
  const verbs = command.createHelp().visibleCommands(command);
  return verbs.map((verb) => verb.name());
}
