import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseInt64 } from '../../contract/int64.ts';
import { petStatuses } from '../../contract/pet.ts';
import { describeCommand, type RunAction } from '../../program/command.ts';
import { parseChoice } from '../../program/global-options.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description('Add a pet. On a terminal it asks for what is missing.')
    .argument('[name]', 'the name of the pet')
    .addOption(new Option('--category <id>', 'the id of its category').argParser(parseCategory))
    .addOption(
      new Option('--status <status>', 'its status (default: available)')
        .choices(petStatuses)
        .argParser(parseChoice(petStatuses)),
    )
    .option('--from <file>', 'read name, categoryId and status from a JSON object; - for stdin')
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
      'petstore add "Mrs. Whiskers" --category 3 --status pending --json',
      'echo \'{"name":"Rex","categoryId":7}\' | petstore add --from -',
      'petstore add Rex --category 7 -e production --confirm production',
    ],
    output: [
      'The pet as the service stored it, with its id; json: one object.',
      '{"id":101,"name":"Rex","categoryId":7,"status":"available"}',
      '--dry-run: the request, nothing of it sent. An add cannot be undone.',
    ].join('\n'),
    exitCodes:
      '3 not confirmed, 4 key, 6 rejected, 7 service failed, 8 not reached, 9 outcome unknown',
  });
}

function parseCategory(text: string): bigint {
  const id = parseInt64(text);
  if (id === undefined)
    throw new InvalidArgumentError('A category is a whole number of 64 bits, such as 7.');
  return id;
}

function parseIdempotencyKey(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new InvalidArgumentError('Write 1 to 255 printable ASCII characters without blanks.');
  }
  return text;
}
