import { type Command, Option } from 'commander';
import { importFormats } from '../../import/read/row.ts';
import {
  choiceOption,
  describeCommand,
  invalidValue,
  type RunAction,
} from '../../program/command.ts';

const MAX_CONCURRENCY = 256;

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Add a whole file of pets: CSV, a JSON array, or NDJSON. Every row is checked before the first one is sent.',
    )
    .argument('[file]', 'the file, or - for stdin')
    .addOption(choiceOption('--format <format>', 'default by name or content', importFormats))
    .option('--dry-run', 'check the file, send nothing')
    .addOption(
      new Option(
        '--concurrency <n>',
        'requests in flight at once, at most; fewer while the service is busy',
      )
        .argParser(parseConcurrency)
        .default(32)
        .conflicts('dryRun'),
    )
    .addOption(
      new Option(
        '--rejects <file>',
        'write rows that the service rejected to this file, itself importable',
      ).conflicts('dryRun'),
    )
    .addOption(
      new Option(
        '--resume [file|id]',
        'resume an import that was stopped, of this file or with this id; nothing is added twice',
      ).conflicts('fresh'),
    )
    .addOption(
      new Option('--fresh', 'add all pets of a file a second time; they cannot be removed'),
    )
    .action(act(async () => (await import('./import-pets.ts')).importPets));
  describeCommand(command, {
    examples: [
      'petstore import delivery.csv',
      'petstore import delivery.csv --dry-run',
      'petstore import delivery.csv --resume',
      'petstore list --all --csv -e staging > pets.csv && petstore import pets.csv -e production --confirm production',
    ],
    output: [
      'table: rows that were not added, with the reason; ndjson, json and csv: a result for every row, in the order of the responses.',
      '{"line":2,"outcome":"added","pet":{"id":101,"name":"Rex","categoryId":7,"status":"available"}}',
      '{"line":3,"outcome":"rejected","pet":{"name":"Mia","categoryId":8},"error":{"code":"…","message":"…","status":400}}',
      '--quiet: ids of the added pets. The summary of the whole import goes to stderr.',
      'The rows are staged in the state folder, which must not be on a network file system: its locks cannot be relied on.',
    ].join('\n'),
    exitCodes:
      '3 refused, 4 key, 6 all rejected, 7 service failed, 8 not reached, 9 outcome unknown, 10 incomplete, 130 interrupted',
    globalOptions: [
      'environment',
      'output',
      'ids',
      'color',
      'prompts',
      'writes',
      'history',
      'requests',
    ],
  });
}

function parseConcurrency(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d{0,2}$/.test(text) && number <= MAX_CONCURRENCY) return number;
  throw invalidValue(text, `a number of requests: write 1 to ${MAX_CONCURRENCY}`);
}
