import { type Command, Option } from 'commander';
import { describeCommand, type RunAction } from '../../program/command.ts';
import { parseChoice } from '../../program/global-options.ts';

const storages = ['keychain', 'file'] as const;

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
      'Ask for the API key of the selected environment, check it there and store it. No flag takes a key.',
    )
    .option('--key-stdin', 'read the key from stdin instead of asking')
    .option('--key-file <path>', 'read the key from a file instead of asking')
    .addOption(
      new Option('--storage <place>', 'where to keep it; file only if you say so')
        .choices(storages)
        .argParser(parseChoice(storages))
        .default('keychain'),
    )
    .option('--no-verify', 'store the key without asking the service')
    .action(act(async () => (await import('./login.ts')).login));
  describeCommand(command, {
    examples: [
      'petstore auth login --env staging',
      'pass show petstore/production | petstore auth login --env production --key-stdin',
    ],
    output: 'Nothing on stdout.',
    exitCodes: '3 no key given and nobody to ask, 4 key rejected or keychain not usable',
  });
}

function declareStatus(group: Command, act: RunAction): void {
  const command = group
    .command('status')
    .description('Say which key the selected environment has and whether it works.')
    .option('--all', 'every environment; ends with 0 whatever their states')
    .option('--check', 'ask the service whether it accepts the key')
    .action(act(async () => (await import('./status.ts')).showStatus));
  describeCommand(command, {
    examples: ['petstore auth status --check', 'petstore auth status --all --json'],
    output:
      'JSON: [{ environment, url, state, source, from, lastFour, storedAt, reason }].\n' +
      'state: ok, missing, rejected, locked, unavailable, unchecked. source: keychain, file, variable.',
    exitCodes: '4 no usable key',
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
    output: 'Nothing on stdout.',
    exitCodes: '4 the keychain did not give the key up',
  });
}

function declareToken(group: Command, act: RunAction): void {
  const command = group
    .command('token')
    .description('Print the API key of the selected environment, for other programs.')
    .option('--reveal', 'print it even to a screen')
    .action(act(async () => (await import('./token.ts')).printToken));
  describeCommand(command, {
    examples: ['petstore auth token --env staging | ssh till-3 petstore auth login --key-stdin'],
    output: 'The key and a newline. JSON: { environment, key }.',
    exitCodes: '3 stdout is a screen, 4 no key',
  });
}
