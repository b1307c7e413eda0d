import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseInt64 } from '../../contract/int64.ts';
import { describeCommand, type RunAction } from '../../program/command.ts';
import { parseChoice } from '../../program/global-options.ts';
import { ways } from './lookup-methods.ts';

export function declare(command: Command, act: RunAction): void {
  command
    .description('Show one pet by its id.')
    .argument('<id>', 'the id of the pet', parseId)
    .addOption(
      new Option('--via <way>', 'which operation (default: auto, see petstore help deprecation)')
        .choices(ways)
        .argParser(parseChoice(ways)),
    )
    .action(act(async () => (await import('./get-pet.ts')).getPet));
  describeCommand(command, {
    examples: ['petstore get 42', 'petstore get 42 --json', 'petstore get 42 --via list'],
    output:
      'table, ndjson, csv as petstore list; json: one pet, not an array.\n{"id":42,"name":"Rex","categoryId":7,"status":"available"}',
    exitCodes: '4 key, 5 not found, 7 service failed, 8 not reached, 10 list not complete',
  });
}

function parseId(text: string): bigint {
  const id = parseInt64(text);
  if (id === undefined) {
    throw new InvalidArgumentError('An id is a whole number of 64 bits, such as 42.');
  }
  return id;
}
