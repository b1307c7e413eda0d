import type { Command } from 'commander';
import {
  describeCommand,
  invalidValue,
  parseDuration,
  type RunAction,
} from '../../program/command.ts';
import { databaseOption } from '../shared/database-option.ts';

export function declare(command: Command, act: RunAction): void {
  command.description(
    'Create, list and revoke the API keys of the service. Works on its database, while the service runs or not.',
  );
  declareCreate(withDatabase(command.command('create')), act);
  declareList(withDatabase(command.command('list')), act);
  declareRevoke(withDatabase(command.command('revoke')), act);
}

function declareCreate(command: Command, act: RunAction): void {
  command
    .description('Create a key and print it, once')
    .requiredOption('--name <label>', 'who or what will use it', parseLabel)
    .option('--expires <duration>', 'how long it is valid, such as 90d', parseDuration)
    .option('--new', 'create the database if there is none')
    .action(act(async () => (await import('./create.ts')).createKey));
  describeCommand(command, {
    examples: [
      'petstore keys create --name till-3 --new',
      'petstore keys create --name audit --expires 30d',
      'petstore keys create --name ci | petstore auth login --key-stdin',
    ],
    output: 'The key alone. With --json one object: id, name, createdAt, expiresAt, key.',
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
      'id, name, state (active, expired, revoked), createdAt, lastUsedAt, expiresAt, revokedAt.',
    globalOptions: ['output', 'color'],
  });
}

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
