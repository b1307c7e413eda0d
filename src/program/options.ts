import { Option } from 'commander';
import { type OutputFormat, outputFormats } from '../terminal/terminal.ts';

/** The options of every command, before or after its name. */
export interface GlobalOptions {
  readonly env?: string;
  readonly output?: OutputFormat;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly csv?: boolean;
  readonly fields?: readonly string[];
  readonly stringIds?: boolean;
  readonly quiet?: boolean;
  /** How often `-v` was given. */
  readonly verbose?: number;
  /** False for `--no-input`. */
  readonly input: boolean;
  readonly confirm?: string;
  /** False for `--no-color`. */
  readonly color: boolean;
  /** Milliseconds per attempt. */
  readonly timeout?: number;
  readonly retries?: number;
}

export function listGlobalOptions(): Option[] {
  return [
    new Option('-e, --env <name>', 'the environment to use'),
    new Option('-o, --output <format>', 'the output format').choices(outputFormats),
    new Option('--json', 'short for --output json').conflicts(['output', 'ndjson', 'csv']),
    new Option('--ndjson', 'short for --output ndjson').conflicts(['output', 'csv']),
    new Option('--csv', 'short for --output csv').conflicts('output'),
    new Option('--fields <a,b>', 'only these fields, in this order').argParser((text) =>
      text.split(','),
    ),
    new Option('--string-ids', 'ids as JSON strings'),
    new Option('-q, --quiet', 'no notices and no progress'),
    new Option('-v, --verbose', 'show requests; twice: headers and bodies').argParser(
      (_, count: number = 0) => count + 1,
    ),
    new Option('--no-input', 'never ask'),
    new Option('--confirm <env>', 'confirm a write to a protected environment'),
    new Option('--no-color', 'no colors'),
  ];
}
