import { type Command, Option } from 'commander';
import { keyAccesses } from '../../contract/key-info.ts';
import {
  choiceOption,
  describeCommand,
  invalidValue,
  parseDuration,
  type RunAction,
} from '../../program/command.ts';
import { databaseOption } from '../shared/database-option.ts';

export function declare(command: Command, act: RunAction): void {
  command.description(
    'Create, list, rotate and revoke the API keys of the service. Works on its database, while the service runs or not.',
  );
  declareCreate(withDatabase(command.command('create')), act);
  declareList(withDatabase(command.command('list')), act);
  declareRotate(withDatabase(command.command('rotate')), act);
  declareRevoke(withDatabase(command.command('revoke')), act);
}

function declareCreate(command: Command, act: RunAction): void {
  command
    .description('Create a key and print it, once')
    .requiredOption('--name <label>', 'who or what will use it', parseLabel)
    .addOption(choiceOption('--access <access>', 'what it may do', keyAccesses).default('write'))
    .option('--expires <duration>', 'how long it is valid, such as 90d', parseDuration)
    .option('--new', 'create the database if there is none')
    .action(act(async () => (await import('./create.ts')).createKey));
  describeCommand(command, {
    examples: [
      'petstore keys create --name till-3 --new',
      'petstore keys create --name audit --access read --expires 30d',
      'petstore keys create --name ci | petstore auth login --key-stdin',
    ],
    output: 'The key alone. With --json one object: id, name, access, createdAt, expiresAt, key.',
    globalOptions: ['output'],
  });
}

function declareList(command: Command, act: RunAction): void {
  command
    .description('List every key ever created, but never the keys themselves')
    .action(act(async () => (await import('./list.ts')).listKeys));
  describeCommand(command, {
    examples: ['petstore keys list', 'petstore keys list --json'],
    output:
      'id, name, access (read, write), state (active, expired, revoked), createdAt, lastUsedAt, expiresAt, revokedAt.',
    globalOptions: ['output', 'color'],
  });
}

function declareRotate(command: Command, act: RunAction): void {
  command
    .description(
      'Create the successor of a key and print it, once: with the same name and access, valid for as long as the old one ' +
        'was made for. The old one ends after the grace period, or earlier if it would have.',
    )
    .argument('<id>', 'its id, as "petstore keys list" shows it')
    .addOption(
      new Option('--grace <duration>', 'how long both are valid, such as 7d')
        .argParser(parseDuration)
        .default(DAY_MS, '1d'),
    )
    .action(act(async () => (await import('./rotate.ts')).rotateKey));
  describeCommand(command, {
    examples: ['petstore keys rotate 3 --grace 7d'],
    output:
      'The new key alone. With --json one object: as of "keys create", and replaces: { id, expiresAt }.',
    globalOptions: ['output'],
    exitCodes: '5 no such key',
  });
}

const DAY_MS = 86_400_000;

function declareRevoke(command: Command, act: RunAction): void {
  command
    .description('Make a key invalid, on every running instance within a second')
    .argument('<id>', 'its id, as "petstore keys list" shows it')
    .action(act(async () => (await import('./revoke.ts')).revokeKey));
  describeCommand(command, {
    examples: ['petstore keys revoke 3'],
    output: 'Nothing on stdout.',
    globalOptions: ['output'],
    exitCodes: '5 no such key',
  });
}

function withDatabase(command: Command): Command {
  return command.option(...databaseOption);
}

function parseLabel(text: string): string {
  if (/\S/.test(text) && text.length <= 100) return text;
  throw invalidValue(text, 'a label: write 1 to 100 characters');
}
