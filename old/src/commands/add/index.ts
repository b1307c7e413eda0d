import { type Command, Option } from 'commander';
import { petStatuses } from '../../contract/pet.ts';
import {
  choiceOption,
  describeCommand,
  parseAs,
  parseInt64As,
  type RunAction,
} from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description(
      'Add a pet. On a terminal it asks for what is missing, then for another. An add cannot be undone.',
    )
    .argument('[name]', 'the name of the pet; several words in quotes')
    .addOption(new Option('--category <id>', 'the number of its category').argParser(parseCategory))
    .addOption(choiceOption('--status <status>', 'its status (default available)', petStatuses))
    .option('--from <file>', 'take what is missing from a JSON object; - for stdin')
    .addOption(
      new Option(
        '--idempotency-key <key>',
        'repeat an add safely: the same key never adds twice',
      ).argParser(parseIdempotencyKey),
    )
    .option('--dry-run', 'show the request, send nothing')
    .action(act(async () => (await import('./add-pet.ts')).addPet));
  describeCommand(command, {
    examples: [
      'petstore add Rex --category 7',
      'petstore add "Mrs Whiskers" --category 3 --status pending --json',
      'echo \'{"name":"Rex","categoryId":7}\' | petstore add --from -',
      'petstore add Rex --category 7 -e production --confirm production',
    ],
    output: 'the pet as the service stored it, with its id; json: one object',
    exitCodes:
      '3 not confirmed, 4 key, 6 rejected, 7 service failed, 8 not reached, 9 outcome unknown',
    globalOptions: [
      'environment',
      'output',
      'pets',
      'ids',
      'color',
      'prompts',
      'writes',
      'history',
      'requests',
    ],
    misplacedArguments: { advice: 'A name of several words needs quotes.' },
  });
}

const parseCategory = parseInt64As('a category number', '7');

const parseIdempotencyKey = parseAs(
  (text) => (/^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined),
  'an idempotency key: write 1 to 255 printable ASCII characters without blanks',
);
