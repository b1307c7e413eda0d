import { type Command, Option } from 'commander';
import { TOTAL_MS } from '../client/requests/request-limits.ts';
import { environmentVariables } from '../config/variables.ts';
import { outputFormats, shortFormats } from '../contract/output-formats.ts';
import { type PetField, petFields } from '../contract/pet-fields.ts';
import { didYouMean, UserError } from '../errors.ts';
import type { Verbosity } from '../terminal/terminal.ts';
import { choiceOption, invalidValue, parseAs, parseDurationUpTo } from './command.ts';

/** One more -v; a fourth changes nothing. */
const louder = { 0: 1, 1: 2, 2: 3, 3: 3 } as const satisfies Record<Verbosity, Verbosity>;

const colors = ['auto', 'always', 'never'] as const;

type ShortFormat = (typeof shortFormats)[number];

/** What can be said to every command, before or after its name. */
export interface GlobalOptions extends Partial<Record<ShortFormat, boolean>> {
  env?: string;
  output?: string;
  fields?: PetField[];
  stringIds?: boolean;
  excel?: boolean;
  quiet?: boolean;
  verbose?: Verbosity;
  input?: boolean;
  confirm?: string;
  history?: boolean;
  color?: (typeof colors)[number];
  /** Milliseconds per request. */
  timeout?: number;
  retries?: number;
}

/** A longer one would not be honored. */
const parseTimeout = parseDurationUpTo(
  TOTAL_MS,
  'a timeout: at most 2m, which all attempts together may take',
);

const shortOptions = shortFormats.map((format) => `--${format}`).join(', ');

/** The global options by what they act on, in the order of the help: a command names the groups that act on it. */
const groups = {
  environment: [
    new Option('-e, --env <name>', `environment (${environmentVariables.environment.name})`),
  ],
  output: [
    new Option('-o, --output <format>', `${outputFormats.join(', ')} (or ${shortOptions})`)
      .choices(outputFormats)
      // The format is resolved with variable and config file, where a mistyped one is reported.
      .argParser(String),
    new Option('-q, --quiet', 'ids only, one per line; fewer notices'),
  ],
  /** Said with `--output`, whose line in the help of a command has them. */
  shortOutput: shortFormats.map(
    (format) => new Option(`--${format}`, `short for --output ${format}`),
  ),
  pets: [
    new Option('--fields <a,b>', `choose and order: ${petFields.join(',')}`)
      .choices(petFields)
      .argParser(parseFields),
    new Option('--excel', 'csv as Excel opens it, its ids as text'),
  ],
  ids: [new Option('--string-ids', 'int64 as JSON strings, for JavaScript and jq before 1.7')],
  color: [choiceOption('--color <when>', 'when to color', colors)],
  prompts: [new Option('--no-input', 'never prompt')],
  writes: [new Option('--confirm <env>', 'confirm a write to a protected environment')],
  history: [
    new Option(
      '--no-history',
      `record nothing on this machine (${environmentVariables.history.name}=off)`,
    ),
  ],
  requests: [
    new Option('-v, --verbose', 'show requests; -vv headers too, -vvv bodies too').argParser(
      (_, before: Verbosity = 0) => louder[before],
    ),
    new Option(
      '--timeout <duration>',
      'per attempt, such as 500ms, at most 2m (default 30s)',
    ).argParser(parseTimeout),
    new Option('--retries <n>', 'retries per request (default 2)').argParser(
      parseAs(
        (text) => (/^\d{1,2}$/.test(text) ? Number(text) : undefined),
        'a number of retries: write a whole number from 0 to 99',
      ),
    ),
  ],
} satisfies Record<string, readonly Option[]>;

export type GlobalOptionGroup = keyof typeof groups;

const globalOptions: readonly Option[] = Object.values(groups).flat();

/** They are on every command, so that their place in the line is free. */
export function addGlobalOptions(command: Command): void {
  for (const option of globalOptions) command.addOption(option);
}

/** A command's own options, then the global ones that act on it. */
export function listHelpOptions(command: Command, acting: readonly GlobalOptionGroup[]): Option[] {
  const own = command.options.filter((option) => !globalOptions.includes(option));
  return [...own, ...acting.flatMap((group): readonly Option[] => groups[group])];
}

/** Where the first word stands that is neither a global option nor the value of one; -1 when there is none. */
export function findCommandWord(argv: readonly string[]): number {
  const takesNext = (word: string | undefined) =>
    globalOptions.some(
      ({ required, long, short }) =>
        required && word !== undefined && (word === long || word === short),
    );
  return argv.findIndex((word, index) => !word.startsWith('-') && !takesNext(argv[index - 1]));
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
  const short = shortFormats.filter((format) => options[format]);
  const asked = [
    ...(options.output === undefined ? [] : [{ name: '--output', value: options.output }]),
    ...short.map((format) => ({ name: `--${format}`, value: format })),
  ];
  if (options.excel) asked.unshift({ name: '--excel', value: 'csv' });
  const [first] = asked;
  const other = asked.find(({ value }) => value !== first?.value);
  if (other === undefined) return first;
  throw new UserError('cli_usage', `${first?.name} and ${other.name} ask for different formats`, {
    next: ['petstore help output'],
  });
}

function parseFields(text: string): PetField[] {
  const fields = text.split(',').map(parseField);
  const duplicate = fields.find((field, index) => fields.indexOf(field) !== index);
  if (duplicate !== undefined) {
    throw invalidValue(text, `a list of fields: ${duplicate} is given twice`);
  }
  return fields;
}

function parseField(word: string): PetField {
  const field = petFields.find((known) => known === word.trim());
  if (field !== undefined) return field;
  throw invalidValue(
    word,
    `a field of a pet.${didYouMean(word, petFields)} Fields: ${petFields.join(', ')}`,
  );
}
