import { type Command, Option } from 'commander';
import {
  describeCommand,
  parseDuration,
  parseInt64As,
  type RunAction,
} from '../../program/command.ts';
import { databaseOption } from '../shared/database-option.ts';

export function declare(command: Command, act: RunAction): void {
  declareCopy(command, act);
  declareBackup(command, act);
  declareCheck(command, act);
  declareMigrate(command, act);
  declareAudit(command, act);
}

function declareBackup(command: Command, act: RunAction): void {
  const backup = command
    .command('backup')
    .summary('copy a SQLite database that is in use into a file')
    .description(
      'Copy a SQLite database, while the service runs or not, as it is at one moment into a new file, which gets its name ' +
        'only when it was read again as a whole and is on the disk. An existing file is never replaced. The file is ' +
        'a database like the one it was made of.',
    )
    .argument('<file>', 'the file to create')
    .option(...databaseOption)
    .action(act(async () => (await import('./back-up-database.ts')).backUpDatabase));
  describeCommand(backup, {
    examples: [
      'petstore db backup /var/backups/petstore/2026-11-20.db',
      'petstore db backup copy.db --database sqlite:/var/lib/petstore/petstore.db',
    ],
    output: 'Nothing on stdout. What was backed up, on stderr.',
    exitCodes: '130 interrupted',
    globalOptions: ['output'],
  });
}

function declareCheck(command: Command, act: RunAction): void {
  const check = command
    .command('check')
    .summary('find out whether a database or a backup is whole')
    .description(
      'Read all of a store, while the service runs or not, and find out whether it is damaged. Nothing is changed.',
    )
    .option(...databaseOption)
    .action(act(async () => (await import('./check-database.ts')).checkDatabase));
  describeCommand(check, {
    examples: [
      'petstore db check',
      'petstore db check --database sqlite:/var/backups/petstore/2026-11-20.db',
    ],
    output: 'Nothing on stdout. What the store holds, on stderr.',
    exitCodes: '2 damaged, or none there',
    globalOptions: ['output'],
  });
}

function declareAudit(command: Command, act: RunAction): void {
  const audit = command
    .command('audit')
    .summary('find out which API key added a pet, and when')
    .description(
      'Say by which API key pets were added, and when, while the service runs or not. What was added before this was ' +
        'recorded says unknown.',
    )
    .addOption(
      new Option('--pet <id>', 'only the pet with this id')
        .argParser(parseInt64As('a pet id', '4711'))
        .conflicts(['key', 'since']),
    )
    .option('--key <name>', 'only what was added by keys of this name')
    .option(
      '--since <duration>',
      'only what was added so long ago or later, such as 1d',
      parseDuration,
    )
    .option(...databaseOption)
    .action(act(async () => (await import('./audit-pets.ts')).auditPets));
  describeCommand(audit, {
    examples: ['petstore db audit --pet 4711', 'petstore db audit --key till-3 --since 1d'],
    output: 'id, name, categoryId, status, keyId, key, addedAt.',
    exitCodes: '5 no such pet or key',
    globalOptions: ['output', 'ids', 'color'],
  });
}

function declareMigrate(command: Command, act: RunAction): void {
  const migrate = command
    .command('migrate')
    .summary('create or update the tables of a store')
    .description(
      'Create the tables of a store, or update them to this version. `serve` does so itself when it starts; on ' +
        'PostgreSQL this does it with another user, so that the one that serves need not be allowed to.',
    )
    .option(...databaseOption)
    .action(act(async () => (await import('./migrate-database.ts')).migrateDatabase));
  describeCommand(migrate, {
    examples: ['petstore db migrate --database postgres://petstore_owner@db/petstore'],
    output: 'Nothing on stdout. What was done, on stderr.',
    globalOptions: ['output'],
  });
}

function declareCopy(command: Command, act: RunAction): void {
  const copy = command
    .command('copy')
    .summary('copy a store into an empty database')
    .description(
      'Copy everything a store holds, with its ids, API keys and idempotency keys, into an empty database, and compare ' +
        'both at the end. Stop the service first. The same command continues an interrupted copy.',
    )
    .requiredOption('--from <url>', 'sqlite:<path> or postgres://<user>@<host>/<name>')
    .requiredOption('--to <url>', 'the same; put a password into PGPASSWORD instead')
    .action(act(async () => (await import('./copy-database.ts')).copyDatabase));
  describeCommand(copy, {
    examples: [
      'petstore db copy --from sqlite:/var/lib/petstore/petstore.db --to postgres://petstore@db/petstore',
      'petstore db copy --from postgres://petstore@db/petstore --to sqlite:copy.db',
    ],
    output: 'Nothing on stdout. Progress, then what was copied and its checksums, on stderr.',
    exitCodes: '130 interrupted',
    globalOptions: ['output'],
  });
}
