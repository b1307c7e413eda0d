import { type Command, InvalidArgumentError, Option } from 'commander';
import { pageLimits } from '../../contract/operations.ts';
import { type PetStatus, petStatuses } from '../../contract/pet.ts';
import { describeCommand, type RunAction } from '../../program/command.ts';
import { parseChoice } from '../../program/global-options.ts';

export function declare(command: Command, act: RunAction): void {
  const parseStatus = parseChoice(petStatuses);
  command
    .description('List pets in the order of their ids.')
    .addOption(
      new Option('--status <status>', 'only these; can be repeated')
        .choices(petStatuses)
        .argParser((text, before: PetStatus[] = []) => [...before, parseStatus(text)]),
    )
    .addOption(
      new Option('--limit <n>', `at most this many (default: ${pageLimits.default})`)
        .argParser(parseLimit)
        .conflicts('all'),
    )
    .option('--all', 'every pet; ndjson and csv are written as they arrive')
    .option('--require-complete', 'exit with 10 when there are more pets than shown')
    .action(act(async () => (await import('./list-pets.ts')).listPets));
  describeCommand(command, {
    examples: [
      'petstore list',
      'petstore list --status available --status pending --limit 250',
      "petstore list --all --json | jq -r '.[].name'",
      'petstore list --all --csv > pets.csv',
    ],
    output: [
      'table: ID NAME CATEGORY STATUS; json: an array of pets; ndjson: a pet a line; csv: with header.',
      '{"id":1,"name":"Rex","categoryId":7,"status":"available"}; status may be absent.',
      'When more pets exist than shown, stderr says so.',
    ].join('\n'),
    exitCodes: '4 key, 7 service failed, 8 not reached, 10 incomplete with --require-complete',
  });
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Write a whole number from 1 on.');
  return Number(text);
}
