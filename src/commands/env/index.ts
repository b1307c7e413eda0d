import type { Command } from 'commander';
import { environmentVariables } from '../../config/variables.ts';
import { describeCommand, type RunAction } from '../../program/command.ts';

export function declare(group: Command, act: RunAction): void {
  group.description('See and change which environments there are and which one is used.');
  declareList(group, act);
  declareShow(group, act);
  declareUse(group, act);
  declareSet(group, act);
  declareRemove(group, act);
}

function declareList(group: Command, act: RunAction): void {
  const command = group
    .command('list')
    .alias('ls')
    .description('List the environments. Works without key, network and keychain.')
    .action(act(async () => (await import('./list.ts')).listEnvironments));
  describeCommand(command, {
    examples: ['petstore env list', 'petstore env list --json'],
    output: 'JSON: [{ name, url, protected, selected }]; url is null until it is set.',
  });
}

function declareShow(group: Command, act: RunAction): void {
  const command = group
    .command('show')
    .description('Show one environment.')
    .argument('[name]', 'the selected environment unless given')
    .option('--explain', 'every effective setting, where it came from and what it overrides')
    .action(act(async () => (await import('./show.ts')).showEnvironment));
  describeCommand(command, {
    examples: ['petstore env show', 'petstore env show production --explain'],
    output:
      'JSON: { name, url, protected, selected, key }, key: { storage, storedAt, lastFour } or null.\n' +
      'JSON with --explain: [{ setting, value, source, overridden }].',
  });
}

function declareUse(group: Command, act: RunAction): void {
  const command = group
    .command('use')
    .description(
      `Use an environment from now on. --env and ${environmentVariables.environment.name} override it.`,
    )
    .argument('<name>')
    .action(act(async () => (await import('./use.ts')).useEnvironment));
  describeCommand(command, {
    examples: ['petstore env use staging'],
    output: 'Nothing on stdout.',
  });
}

function declareSet(group: Command, act: RunAction): void {
  const command = group
    .command('set')
    .description('Create an environment or change it.')
    .argument('<name>', 'lower-case letters, digits and dashes')
    .option('--url <url>', 'base address: https, ends in /v1; http for this machine only')
    .option('--protected', 'writes need confirmation')
    .option('--no-protected', 'writes need none')
    .action(act(async () => (await import('./set.ts')).setEnvironment));
  describeCommand(command, {
    examples: [
      'petstore env set staging --url https://staging.pets.example.com/v1',
      'petstore env set demo --url http://localhost:8080/v1 --no-protected',
    ],
    output: 'Nothing on stdout.',
  });
}

function declareRemove(group: Command, act: RunAction): void {
  const command = group
    .command('remove')
    .alias('rm')
    .description(
      'Forget an environment and the keys stored for it. Nothing changes at the service.',
    )
    .argument('<name>')
    .action(act(async () => (await import('./remove.ts')).removeEnvironment));
  describeCommand(command, {
    examples: ['petstore env remove demo'],
    output: 'Nothing on stdout.',
    exitCodes: '4 the keychain did not give its key up',
  });
}
