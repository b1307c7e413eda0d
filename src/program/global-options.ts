import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Format, formats } from '../config/settings/output-settings.ts';
import { environmentVariables } from '../config/variables.ts';
import { type PetField, petFields } from '../contract/pet-fields.ts';
import { didYouMean, UserError } from '../errors.ts';
import type { Verbosity } from '../terminal/terminal.ts';
import { parseDuration } from './parse-duration.ts';

const colors = ['auto', 'always', 'never'] as const;

/** What can be said to every command, before or after its name. */
export interface GlobalOptions {
  env?: string;
  output?: string;
  json?: boolean;
  ndjson?: boolean;
  csv?: boolean;
  fields?: PetField[];
  stringIds?: boolean;
  excel?: boolean;
  quiet?: boolean;
  verbose?: number;
  input?: boolean;
  confirm?: string;
  color?: (typeof colors)[number];
  /** Milliseconds for one attempt. */
  timeout?: number;
  retries?: number;
}

/**
 * Adds the global options to a command. They stand on every command, so that their place in the line is free.
 * `choices` are what help and completion show; the parser after it says what a mistyped one may have meant.
 */
export function addGlobalOptions(command: Command): Command {
  const options = [
    new Option(
      '-e, --env <name>',
      `environment to act on (${environmentVariables.environment.name})`,
    ),
    new Option('-o, --output <format>', `how data is printed (${environmentVariables.output.name})`)
      .choices(formats)
      .argParser(String),
    new Option('--json', 'short for --output json'),
    new Option('--ndjson', 'short for --output ndjson'),
    new Option('--csv', 'short for --output csv'),
    new Option('--fields <a,b>', 'fields to show, in this order')
      .choices(petFields)
      .argParser(parseFields),
    new Option('--string-ids', 'int64 as JSON strings, for JavaScript and jq before 1.7'),
    new Option('--excel', 'csv as Excel opens it: BOM, CRLF, ids as text, no formulas'),
    new Option('-q, --quiet', 'ids only, one a line; no notices but that of an incomplete list'),
    new Option('-v, --verbose', 'show requests; -vv headers too, -vvv bodies too').argParser(
      countUp,
    ),
    new Option('--no-input', 'never ask'),
    new Option('--confirm <env>', 'confirm a write to a protected environment by its name'),
    new Option('--color <when>', 'when to colour').choices(colors).argParser(parseChoice(colors)),
    new Option('--timeout <duration>', 'for each attempt, such as 30s').argParser(parseDuration),
    new Option('--retries <n>', 'further attempts after the first').argParser(parseRetries),
  ];
  command.optionsGroup('Global options:');
  for (const option of options) command.addOption(option);
  return command;
}

/** The options of a command and of those above it; the one nearest to the end of the line wins. */
export function mergeOptions(command: Command): GlobalOptions {
  const line: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) line.unshift(at);
  const merged: Record<string, unknown> = {};
  for (const part of line) {
    for (const [name, value] of Object.entries(part.opts())) {
      const isGiven = part.getOptionValueSource(name) === 'cli';
      if (isGiven || !(name in merged)) merged[name] = value;
    }
  }
  return merged;
}

/** The format asked for by `--output` or one of its short forms. @throws UserError when they disagree. */
export function findFormatFlag(
  options: GlobalOptions,
): { name: string; value: string } | undefined {
  const short = (['json', 'ndjson', 'csv'] as const).filter((format) => options[format]);
  const asked = [
    ...(options.output === undefined ? [] : [{ name: '--output', value: options.output }]),
    ...short.map((format) => ({ name: `--${format}`, value: format })),
  ];
  if (options.excel && asked.every(({ value }) => value === 'csv'))
    return { name: '--excel', value: 'csv' };
  if (options.excel) asked.unshift({ name: '--excel', value: 'csv' });
  const [first, second] = asked;
  if (second !== undefined && new Set(asked.map(({ value }) => value)).size > 1) {
    throw new UserError(
      'cli_usage',
      `${first?.name} and ${second.name} ask for different formats`,
      { next: ['petstore help output'] },
    );
  }
  return first;
}

/** The limits of requests as people would write them. */
export function describeLimits({ timeout, retries }: GlobalOptions) {
  return {
    timeout: timeout === undefined ? undefined : `${timeout / 1000}s`,
    retries: retries?.toString(),
  };
}

/** The format that a line which may not even parse seems to want, so that its error arrives in that format. */
export function guessFormat(argv: readonly string[], variable: string | undefined): Format {
  const words = argv.map((word, index) => {
    if (word === '-o' || word === '--output') return argv[index + 1];
    return /^(?:--output=|-o|--(?=json$|ndjson$|csv$))(.+)$/.exec(word)?.[1];
  });
  return (
    [...words, variable]
      .map((word) => formats.find((format) => format === word))
      .find((format) => format !== undefined) ?? 'table'
  );
}

export function toVerbosity(count = 0): Verbosity {
  if (count >= 3) return 3;
  return count === 2 ? 2 : count === 1 ? 1 : 0;
}

function countUp(_: unknown, before: number | undefined): number {
  return (before ?? 0) + 1;
}

function parseFields(text: string): PetField[] {
  const fields = text.split(',').map(parseField);
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice !== undefined) throw new InvalidArgumentError(`${twice} stands there twice.`);
  return fields;
}

function parseField(word: string): PetField {
  const field = petFields.find((known) => known === word.trim());
  if (field !== undefined) return field;
  throw new InvalidArgumentError(
    `${JSON.stringify(word)} is not a field.${didYouMean(word, petFields)} Fields: ${petFields.join(', ')}.`,
  );
}

/** Reads one word of a closed list, for an option or an argument. */
export function parseChoice<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((known) => known === text);
    if (choice === undefined) {
      throw new InvalidArgumentError(
        `${didYouMean(text, choices).trim()} Allowed: ${choices.join(', ')}.`.trim(),
      );
    }
    return choice;
  };
}

function parseRetries(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('Write a number from 0 to 99.');
  return Number(text);
}
