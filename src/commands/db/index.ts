import type { Command } from 'commander';
import { describeCommand, type RunAction } from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  declareCopy(command, act);
  declareMigrate(command, act);
}

function declareMigrate(command: Command, act: RunAction): void {
  const migrate = command
    .command('migrate')
    .summary('create or update the tables of a store')
    .description(
      'Create the tables of a store, or update them to this version. `serve` does so itself when it starts; on ' +
        'PostgreSQL this does it with another user, so that the one that serves need not be allowed to.',
    )
    .option(
      '--database <url>',
      'the service’s database (PETSTORE_SERVE_DATABASE; default: petstore.db in the data folder)',
    )
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
