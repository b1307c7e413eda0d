import { Option } from 'commander';
import type { ConfigFile } from '../config/config-file.ts';
import type { Variables } from '../config/variables.ts';
import { UserError } from '../errors.ts';
import { quoteValue } from '../input/explain-value.ts';
import { type OutputFormat, outputFormats } from '../output-formats.ts';
import { adviseUnset } from '../terminal/command-line.ts';
import { parseChoice, parseDuration, parseWholeNumber } from './values.ts';

export interface GlobalOptions {
  readonly env?: string;
  readonly output?: OutputFormat;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly csv?: boolean;
  readonly fields?: readonly string[];
  readonly stringIds?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: number;
  readonly input?: boolean;
  readonly confirm?: string;
  readonly color?: boolean;
  /** Milliseconds per attempt. */
  readonly timeout?: number;
  readonly retries?: number;
}

const shortFormats = ['json', 'ndjson', 'csv'] as const;
const MAX_RETRIES = 99;
const TIMEOUT_LIMIT = '2m';

export function listGlobalOptions(): Option[] {
  return [
    new Option('-e, --env <name>', 'the environment to use (PETSTORE_ENV)'),
    createChoiceOption(
      ['-o, --output <format>', 'the format (PETSTORE_OUTPUT)'],
      ['an output format', outputFormats],
    ),
    new Option('--json', 'short for --output json').conflicts(['output', 'ndjson', 'csv']),
    new Option('--ndjson', 'short for --output ndjson').conflicts(['output', 'csv']),
    new Option('--csv', 'short for --output csv').conflicts('output'),
    new Option('--fields <a,b>', 'only these fields, in this order').argParser(parseFields),
    new Option('--string-ids', 'ids as JSON strings, for JavaScript'),
    new Option('-q, --quiet', 'no notices and no progress'),
    new Option('-v, --verbose', 'show requests; twice: headers and bodies').argParser(
      (_: string, count: number = 0) => count + 1,
    ),
    new Option('--no-input', 'never ask'),
    new Option('--confirm <environment>', 'confirm a write to a protected environment'),
    new Option('--no-color', 'no colors (NO_COLOR)'),
    new Option('--timeout <duration>', 'per attempt, such as 500ms (default 30s)').argParser(
      (text) => parseDuration(text, 'a timeout', TIMEOUT_LIMIT),
    ),
    new Option('--retries <n>', 'retries per request (default 2)').argParser((text) =>
      parseWholeNumber(text, 'a number of retries', { min: 0, max: MAX_RETRIES }),
    ),
  ];
}

/** An option that takes one of a few words. commander lists them in the help. */
export function createChoiceOption(
  [flags, description]: readonly [string, string],
  [what, choices]: readonly [string, readonly string[]],
): Option {
  const option = new Option(flags, description).choices(choices);
  return option.argParser((text) => parseChoice(text, what, choices));
}

/** Option, then variable, then config file, then `table`. */
export function findFormat(
  options: GlobalOptions,
  variables: Variables,
  config: ConfigFile,
): OutputFormat {
  const given = outputFormats.find((format) => format === variables.PETSTORE_OUTPUT);
  return findTypedFormat(options) ?? given ?? readConfiguredFormat(config) ?? 'table';
}

/** @throws UserError for a PETSTORE_OUTPUT that is no format, unless an option overrides it. */
export function checkFormatVariable(
  options: GlobalOptions,
  { PETSTORE_OUTPUT: variable }: Variables,
): void {
  if (!variable || findTypedFormat(options) !== undefined) return;
  if (outputFormats.some((format) => format === variable)) return;
  const { details, try: next } = adviseUnset('PETSTORE_OUTPUT');
  throw new UserError('cli_usage', `PETSTORE_OUTPUT is "${variable}", which is not a format.`, {
    details: [`The formats are ${outputFormats.join(', ')}.`, ...details],
    try: next,
  });
}

export function findTypedFormat(options: GlobalOptions): OutputFormat | undefined {
  return options.output ?? shortFormats.find((format) => options[format]);
}

function readConfiguredFormat(config: ConfigFile): OutputFormat | undefined {
  try {
    return config.read().output;
  } catch {
    // A command that needs the file says what is wrong with it.
    return undefined;
  }
}

function parseFields(text: string): string[] {
  const fields = text.split(',').map((field) => field.trim());
  const repeated = fields.find((field, index) => fields.indexOf(field) !== index);
  if (repeated === undefined) return fields;
  throw new UserError('cli_usage', `The field ${quoteValue(repeated)} is given twice.`);
}
