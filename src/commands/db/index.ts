import { type Command, Option } from 'commander';
import type { RunAction } from '../../program/context.ts';
import { alsoOptions, describeCommand } from '../../program/help.ts';
import {
  parseDuration,
  parseFileName,
  parseTypedInt64,
  parseWholeNumber,
} from '../../program/values.ts';
import { databaseOption } from '../shared/database.ts';
import { AUDIT_LIMIT, auditPets } from './audit.ts';
import { backUpDatabase, checkDatabase, copyDatabase, migrateDatabase } from './maintain.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Look after the database of the service.',
    examples: [
      'petstore db backup monday.db    while the service runs or not',
      'petstore db check',
      'petstore db audit --key till-3 --since 1d',
    ],
    also: alsoOptions.local,
  });
  declareBackup(command.command('backup'), run);
  declareCheck(command.command('check'), run);
  declareMigrate(command.command('migrate'), run);
  declareCopy(command.command('copy'), run);
  declareAudit(command.command('audit'), run);
}

function declareBackup(command: Command, run: RunAction): void {
  describeCommand(command.summary('copy a SQLite database into a file'), {
    sentence: 'Copy a SQLite database into a new file, while the service runs or not.',
    examples: [
      'petstore db backup monday.db',
      'petstore db backup /mnt/backup/monday.db',
      'petstore db backup copy.db --database sqlite:/var/lib/petstore/petstore.db',
    ],
    also: alsoOptions.local,
  })
    .argument('<file>', 'the file to create', parseFileName)
    .addOption(databaseOption())
    .action(run(backUpDatabase));
}

function declareCheck(command: Command, run: RunAction): void {
  describeCommand(command.summary('find out whether a database is undamaged'), {
    sentence: 'Read a whole database, or a backup, and find out whether it is undamaged.',
    examples: [
      'petstore db check',
      'petstore db check --database sqlite:monday.db',
      'petstore db check && petstore db backup monday.db',
    ],
    also: alsoOptions.local,
  })
    .addOption(databaseOption())
    .action(run(checkDatabase));
}

function declareMigrate(command: Command, run: RunAction): void {
  describeCommand(command.summary('create or update the tables'), {
    sentence: 'Create the tables, or update them to this version. serve does so, too.',
    examples: [
      'petstore db migrate',
      'petstore db migrate --database sqlite:/var/lib/petstore/petstore.db',
      'petstore db migrate --database postgres://owner@db/petstore',
    ],
    also: alsoOptions.local,
  })
    .addOption(databaseOption())
    .action(run(migrateDatabase));
}

function declareCopy(command: Command, run: RunAction): void {
  describeCommand(command.summary('move a store from SQLite to PostgreSQL'), {
    sentence: 'Copy all pets and keys of a SQLite database into an empty PostgreSQL database.',
    examples: [
      'petstore db copy sqlite:petstore.db postgres://petstore@db/petstore',
      'PGPASSWORD=… petstore db copy sqlite:pets.db postgres://petstore@db/petstore',
      'petstore db copy sqlite:pets.db "postgres://db/petstore?sslmode=verify-full"',
    ],
    also: alsoOptions.local,
  })
    .argument('<from>', 'sqlite:<path>')
    .argument('<to>', 'postgres://…')
    .action(run(copyDatabase));
}

function declareAudit(command: Command, run: RunAction): void {
  describeCommand(command.summary('find out which key added a pet'), {
    sentence: 'Show which API key added which pet, and when, newest first.',
    examples: [
      'petstore db audit --pet 4711',
      'petstore db audit --key till-3 --since 1d',
      'petstore db audit --limit 1000 --csv > audit.csv',
    ],
    also: alsoOptions.local,
  })
    .option('--pet <id>', 'only this pet', (text) => parseTypedInt64(text, 'the number of a pet'))
    .option('--key <name>', 'only what this key added')
    .option('--since <duration>', 'only what was added since, such as 1d', (text) =>
      parseDuration(text, 'a duration'),
    )
    .addOption(
      new Option('--limit <n>', 'show at most this many')
        .argParser((text) => parseWholeNumber(text, 'a number of pets', { min: 1, max: 1_000_000 }))
        .default(AUDIT_LIMIT),
    )
    .addOption(databaseOption())
    .action(run(auditPets));
}
