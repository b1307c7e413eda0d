import type { Command } from 'commander';
import type { Context, RunAction } from '../../program/context.ts';
import { describeCommand } from '../../program/help.ts';
import { removeEnvironment, setEnvironment, useEnvironment } from './change.ts';
import { type ListOptions, listEnvironments } from './list.ts';

const offline = ['--offline', 'ask no service, and leave out what only it knows'] as const;

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Show the pet stores of this computer, and whether each can be used.',
    examples: [
      'petstore env',
      'petstore env use staging',
      'petstore env set till-3 --url pets.test --protected',
    ],
    also: '-o, --json, --fields, -q, -v',
  })
    .argument('[name]', 'select this one, as env use does')
    .option(...offline)
    .action(run(showOrUse));

  describeCommand(command.command('list').summary('show them all, as env alone does'), {
    sentence: 'Show the pet stores of this computer, and whether each can be used.',
    examples: ['petstore env list', 'petstore env list --offline', 'petstore env list --json'],
    also: '-o, --json, --fields, -q, -v',
  })
    .option(...offline)
    .action(run(listEnvironments));

  describeCommand(command.command('use').summary('select a pet store'), {
    sentence: 'Select the pet store for the commands from now on.',
    examples: [
      'petstore env use staging',
      'petstore list --env staging           for one command',
      'export PETSTORE_ENV=staging           for one shell',
    ],
    also: '-q',
  })
    .argument('<name>', 'the environment, or - for the one before')
    .action(run(useEnvironment));

  describeCommand(command.command('set').summary('change an address or protection'), {
    sentence: 'Set the address of an environment, or whether writes to it must be confirmed.',
    examples: [
      'petstore env set staging --url staging.pets.test',
      'petstore env set till-3 --url pets.test --protected',
      'petstore env set till-3 --no-protected',
    ],
    also: '--confirm, --no-input, -q',
  })
    .argument('<name>', 'the environment, which may be new')
    .option('--url <address>', 'the address; another one removes the stored key')
    .option('--protected', 'writes must be confirmed')
    .option('--no-protected', 'writes need no confirmation')
    .action(run(setEnvironment));

  describeCommand(command.command('remove').summary('forget a pet store'), {
    sentence: 'Remove an environment with its address and stored key from this computer.',
    examples: ['petstore env remove till-3', 'petstore env remove staging --no-input'],
    also: '--no-input, -q',
  })
    .argument('<name>', 'the environment')
    .action(run(removeEnvironment));
}

async function showOrUse(
  context: Context,
  name: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (name === undefined) return await listEnvironments(context, options);
  await useEnvironment(context, name);
}
