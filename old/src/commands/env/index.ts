import type { Command } from 'commander';
import { environmentVariables } from '../../config/variables.ts';
import { describeCommand, parseDurationUpTo, type RunAction } from '../../program/command.ts';

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
    output:
      'a table; json: [{ name, url, protected, selected, until }], url is null until it is set',
    globalOptions: ['environment', 'output', 'color'],
  });
}

function declareShow(group: Command, act: RunAction): void {
  const command = group
    .command('show')
    .description('Show one environment.')
    .argument('[name]', 'default: the selected environment')
    .option('--explain', 'every effective setting, where it came from and what it overrides')
    .action(act(async () => (await import('./show.ts')).showEnvironment));
  describeCommand(command, {
    examples: ['petstore env show', 'petstore env show production --explain'],
    output:
      'a table; json: { name, url, protected, selected, until, key }, key: { storage, storedAt, lastFour }\n' +
      'json with --explain: [{ setting, value, source, overridden }]',
    globalOptions: ['environment', 'output', 'color'],
  });
}

function declareUse(group: Command, act: RunAction): void {
  const command = group
    .command('use')
    .description(
      `Use an environment from now on. --env and ${environmentVariables.environment.name} override it.`,
    )
    .argument('<name>')
    .option('--for <duration>', 'only for so long, such as 30m, at most 7d', parsePeriod)
    .action(act(async () => (await import('./use.ts')).useEnvironment));
  describeCommand(command, {
    examples: ['petstore env use staging', 'petstore env use production --for 30m'],
    output: 'nothing on stdout',
    globalOptions: ['output'],
  });
}

function declareSet(group: Command, act: RunAction): void {
  const command = group
    .command('set')
    .description('Create an environment or change it.')
    .argument('<name>', 'lower-case letters, digits and dashes')
    .option('--url <url>', 'base URL: https, ends in /v1; http for this machine only')
    .option('--protected', 'writes need confirmation')
    .option('--no-protected', 'writes need no confirmation')
    .action(act(async () => (await import('./set.ts')).setEnvironment));
  refuseBoth(command, '--protected', '--no-protected');
  describeCommand(command, {
    examples: [
      'petstore env set staging --url https://staging.pets.example.com/v1',
      'petstore env set demo --url http://localhost:8080/v1 --no-protected',
    ],
    output: 'nothing on stdout',
    exitCodes: '3 protection would be taken away: --confirm names the environment',
    globalOptions: ['output', 'writes'],
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
    output: 'nothing on stdout',
    globalOptions: ['output', 'writes'],
    exitCodes: '3 protection would be taken away, 4 the keychain did not remove its key',
  });
}

/** A longer one would not be for a while. */
const parsePeriod = parseDurationUpTo(7 * 86_400_000, 'a time to work somewhere: at most 7d');

/** Commander keeps one value for a switch and its opposite: the later one would win without a word. */
function refuseBoth(command: Command, ...flags: readonly [string, string]): void {
  const given = new Set<string>();
  for (const flag of flags) {
    command.on(`option:${flag.slice(2)}`, () => {
      if (given.add(flag).size === flags.length) {
        const message = `option '${flags[0]}' cannot be used with option '${flags[1]}'`;
        command.error(message, { code: 'commander.conflictingOption' });
      }
    });
  }
}
