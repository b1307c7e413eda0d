import { type Command, Option } from 'commander';
import {
  choiceOption,
  describeCommand,
  type MisplacedArguments,
  type RunAction,
} from '../../program/command.ts';

const storages = ['keychain', 'file'] as const;

const environmentOption: MisplacedArguments = {
  advice: 'The environment goes after --env.',
  option: '--env',
  fits: (words) => /^[a-z][a-z-]{0,19}$/.test(words),
};

export function declare(group: Command, act: RunAction): void {
  group.description('Store, check and remove the API key of an environment.');
  declareLogin(group, act);
  declareStatus(group, act);
  declareLogout(group, act);
  declareToken(group, act);
}

function declareLogin(group: Command, act: RunAction): void {
  const command = group
    .command('login')
    .description(
      'Ask for the API key of the selected environment, check it there and store it. No option takes a key.',
    )
    .addOption(
      new Option('--key-stdin', 'read the key from stdin instead of asking').conflicts('keyFile'),
    )
    .option('--key-file <path>', 'read the key from a file instead of asking')
    .addOption(choiceOption('--storage <place>', 'where to store it', storages).default('keychain'))
    .option('--no-verify', 'store the key without checking it at the service')
    .action(act(async () => (await import('./login.ts')).login));
  describeCommand(command, {
    examples: [
      'petstore auth login --env staging',
      'pass show petstore/production | petstore auth login --env production --key-stdin',
    ],
    output: 'nothing on stdout',
    exitCodes: '3 no key given and nobody to ask, 4 key rejected or keychain not usable',
    globalOptions: ['environment', 'output', 'prompts', 'requests'],
    misplacedArguments: environmentOption,
  });
}

function declareStatus(group: Command, act: RunAction): void {
  const command = group
    .command('status')
    .description('Say which key the selected environment has and whether it works.')
    .option('--all', 'every environment; ends with 0 whatever their states, unless --check')
    .option('--check', 'check at the service whether it accepts the key')
    .action(act(async () => (await import('./status.ts')).showStatus));
  describeCommand(command, {
    examples: ['petstore auth status --check', 'petstore auth status --all --json'],
    output:
      'a table; json: [{ environment, url, selected, state, source, from, lastFour, storedAt, access, expiresAt, reason }]\n' +
      'state: ok, missing, rejected, locked, unavailable, unchecked; source: keychain, file, variable',
    exitCodes: '4 a key is missing, rejected or cannot be read; of --all only with --check',
    globalOptions: ['environment', 'output', 'color', 'requests'],
    misplacedArguments: environmentOption,
  });
}

function declareLogout(group: Command, act: RunAction): void {
  const command = group
    .command('logout')
    .description(
      'Remove the stored key of the selected environment. It stays valid at the service.',
    )
    .option('--all', 'the stored keys of every environment')
    .action(act(async () => (await import('./logout.ts')).logout));
  describeCommand(command, {
    examples: ['petstore auth logout --env staging', 'petstore auth logout --all'],
    output: 'nothing on stdout',
    exitCodes: '4 the keychain did not remove the key',
    globalOptions: ['environment', 'output'],
    misplacedArguments: environmentOption,
  });
}

function declareToken(group: Command, act: RunAction): void {
  const command = group
    .command('token')
    .description('Print the API key of the selected environment, for other programs.')
    .option('--reveal', 'print it even to a terminal')
    .action(act(async () => (await import('./token.ts')).printToken));
  describeCommand(command, {
    examples: ['petstore auth token --env staging | ssh till-3 petstore auth login --key-stdin'],
    output: 'the key and a newline; json: { environment, key }',
    exitCodes: '3 stdout is a terminal, 4 no key',
    globalOptions: ['environment', 'output'],
    misplacedArguments: environmentOption,
  });
}
