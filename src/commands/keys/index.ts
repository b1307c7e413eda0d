import { type Command, Option } from 'commander';
import { keyAccesses } from '../../contract/headers.ts';
import type { RunAction } from '../../program/context.ts';
import { alsoOptions, describeCommand } from '../../program/help.ts';
import { parseDuration } from '../../program/values.ts';
import { databaseOption } from '../shared/database.ts';
import { createKey } from './create.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Create, list and revoke the API keys of the service.',
    examples: [
      'petstore keys create --name till-3',
      'petstore keys list',
      'petstore keys revoke till-3',
    ],
    also: alsoOptions.local,
  });
  declareCreate(command.command('create'), run);
  declareList(command.command('list'), run);
  declareRevoke(command.command('revoke'), run);
}

function declareCreate(command: Command, run: RunAction): void {
  describeCommand(command.summary('create a key and print it once'), {
    sentence: 'Create an API key and print it, once: only its hash is stored.',
    examples: [
      'petstore keys create --name till-3',
      'petstore keys create --name reports --access read --expires 90d',
      'petstore keys create --name ci | petstore login --key-stdin -e staging',
    ],
    also: alsoOptions.local,
  })
    .requiredOption('--name <label>', 'who or what will use it')
    .addOption(
      new Option('--access <access>', 'what it may do').choices(keyAccesses).default('write'),
    )
    .option('--expires <duration>', 'how long it is valid, such as 90d', (text) =>
      parseDuration(text, 'a duration'),
    )
    .addOption(databaseOption())
    .action(run(createKey));
}

function declareList(command: Command, run: RunAction): void {
  describeCommand(command.summary('list every key that was created'), {
    sentence: 'List every API key that was created, never its text.',
    examples: [
      'petstore keys list',
      'petstore keys list --json',
      'petstore keys list --database sqlite:/var/lib/petstore/petstore.db',
    ],
    also: alsoOptions.local,
  })
    .addOption(databaseOption())
    .action(run(listKeys));
}

function declareRevoke(command: Command, run: RunAction): void {
  describeCommand(command.summary('end a key'), {
    sentence: 'Revoke an API key: every running service refuses it within a second.',
    examples: [
      'petstore keys revoke till-3     by its name',
      'petstore keys revoke 3          by its number',
      'petstore keys revoke till-3 --database postgres://petstore@db/petstore',
    ],
    also: alsoOptions.local,
  })
    .argument('<name|id>', 'the name or the number of the key')
    .addOption(databaseOption())
    .action(run(revokeKey));
}
