import type { Command } from 'commander';
import {
  choiceOption,
  describeCommand,
  parseInt64As,
  type RunAction,
} from '../../program/command.ts';

const lookupMethods = ['auto', 'get', 'list'] as const;

export type LookupMethod = (typeof lookupMethods)[number];

export function declare(command: Command, act: RunAction): void {
  command
    .description('Show one pet by its id.')
    .argument('<id>', 'the id of the pet', parseInt64As('the id of a pet', '42'))
    .addOption(
      choiceOption('--via <method>', 'petstore help deprecation (default auto)', lookupMethods),
    )
    .action(act(async () => (await import('./get-pet.ts')).getPet));
  describeCommand(command, {
    examples: ['petstore get 42', 'petstore get 42 --json', 'petstore get 42 --via list'],
    output: 'as petstore list; json: one object, not an array',
    exitCodes: '4 key, 5 not found, 7 service failed, 8 not reached, 10 list not complete',
    globalOptions: ['environment', 'output', 'pets', 'ids', 'color', 'requests'],
    misplacedArguments: {
      advice: 'This command takes the id of a pet; petstore list finds pets by name.',
      verb: 'list',
      option: '--name',
      fits: (words) => /\p{L}/u.test(words),
    },
  });
}
