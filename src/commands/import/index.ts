import { type Command, Option } from 'commander';
import { importFormats } from '../../import/row.ts';
import type { RunAction } from '../../program/context.ts';
import { alsoOptions, describeCommand } from '../../program/help.ts';
import { createChoiceOption } from '../../program/options.ts';
import { parseFileName } from '../../program/values.ts';
import { importFile } from './import-file.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Add a file of pets: .xlsx, CSV, JSON, or NDJSON. Running it again is safe.',
    examples: [
      'petstore import delivery.xlsx                columns name, category, status',
      'petstore import delivery.csv --dry-run       check it and send nothing',
      'petstore import stock.csv --new              only the rows added since',
    ],
    also: alsoOptions.writes,
  })
    .argument('<file>', 'the file, or - for stdin', parseFileName)
    .addOption(
      createChoiceOption(
        ['--format <format>', 'the format; detected unless given'],
        ['a file format', importFormats],
      ),
    )
    .option('--rejects <file>', 'write rows that the service refuses to this file', parseFileName)
    .option('--new', 'only the rows that no import of this file name has added')
    .addOption(new Option('--again', 'add all of it a second time').conflicts(['dryRun', 'new']))
    .option('--dry-run', 'show the first rows, send nothing')
    .action(run(importFile));
}
