import { type Command, Option } from 'commander';
import { pageLimits } from '../../contract/operations.ts';
import { type PetStatus, petStatuses } from '../../contract/pet.ts';
import {
  choiceOption,
  describeCommand,
  parseAs,
  parseChoice,
  parseInt64As,
  type RunAction,
} from '../../program/command.ts';

export function declare(command: Command, act: RunAction): void {
  const parseStatus = parseChoice(petStatuses);
  command
    .description('List pets in the order of their ids.')
    .addOption(
      choiceOption('--status <status>', 'only these, can be repeated', petStatuses).argParser(
        (text, before: PetStatus[] = []) => [...before, parseStatus(text)],
      ),
    )
    .addOption(
      new Option('--name <text>', 'only these: part of the name, upper or lower case').argParser(
        parseNamePart,
      ),
    )
    .addOption(
      new Option('--category <id>', 'only these, can be repeated').argParser(
        (text, before: bigint[] = []) => [...before, parseCategory(text)],
      ),
    )
    .addOption(
      new Option('--limit <n>', `at most this many (default ${pageLimits.default})`)
        .argParser(parseLimit)
        .conflicts('all'),
    )
    .option('--all', 'every pet; ndjson and csv are written as they arrive')
    .addOption(new Option('--count', 'print only how many there are').conflicts('limit'))
    .option('--require-complete', 'exit with 10 when more pets exist than shown')
    .action(act(async () => (await import('./list-pets.ts')).listPets));
  describeCommand(command, {
    examples: [
      'petstore list --name gold',
      'petstore list --status available --status pending --limit 250',
      'petstore list --category 7 --count',
      "petstore list --all --json | jq -r '.[].name'",
      'petstore list --all --csv > pets.csv',
    ],
    output:
      'a table; json: an array of pets; ndjson: one pet per line; csv: with header; --count: one number',
    exitCodes: '4 key, 7 service failed, 8 not reached, 10 incomplete',
    globalOptions: ['environment', 'output', 'pets', 'ids', 'color', 'requests'],
    misplacedArguments: { advice: 'A name to look for goes after --name.', option: '--name' },
  });
}

const parseLimit = parseAs(
  (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  'a limit: write a whole number from 1',
);

const parseNamePart = parseAs(
  (text) => (text.trim() === '' ? undefined : text),
  'part of a name: write some of its letters',
);

const parseCategory = parseInt64As('a category number', '7');
