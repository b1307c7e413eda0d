import { type Command, Option } from 'commander';
import { pageLimits } from '../contract/operations.ts';
import type { Pet, PetStatus } from '../contract/pet.ts';
import { quoteValue } from '../input/explain-value.ts';
import type { Context, RunAction } from '../program/context.ts';
import { alsoOptions, describeCommand } from '../program/help.ts';
import { parseWholeNumber } from '../program/values.ts';
import { parseTypedCategory } from './shared/categories.ts';
import { readNewestFirst } from './shared/newest-first.ts';
import { createStatusOption } from './shared/pet-options.ts';
import { createPetOutput } from './shared/pets.ts';
import { type Reading, type Selection, selectPets, watchPages } from './shared/read-pets.ts';

interface ListOptions {
  readonly status?: PetStatus;
  readonly category?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly newest?: boolean;
  readonly count?: boolean;
}

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Find pets by a part of their name, their status, or their category.',
    examples: [
      'petstore list gold                          "gold" in the name',
      'petstore list --newest --limit 5            the five latest',
      'petstore list --status sold --all --csv > sold.csv',
    ],
    also: alsoOptions.reads,
  })
    .argument('[text...]', 'a part of the name')
    .addOption(createStatusOption('only this status'))
    .option('-c, --category <id>', 'only this category, a number or a name')
    .option('-n, --limit <n>', `show at most this many (default ${pageLimits.default})`, (text) =>
      parseWholeNumber(text, 'a number of pets', { min: 1, max: 999_999_999 }),
    )
    .addOption(new Option('--all', 'every pet').conflicts('limit'))
    .option('--newest', 'newest first')
    .addOption(new Option('--count', 'print only the number').conflicts(['limit', 'newest']))
    .action(run(listPets));
}

export async function listPets(
  context: Context,
  words: readonly string[],
  options: ListOptions,
): Promise<void> {
  const category = await parseTypedCategory(context, options.category);
  const text = words.join(' ');
  const writer = await createPetOutput(context, undefined, explainEmpty(text, options));
  const matches = createFilter(text, category);
  const { batches, result } = await openList(context, matches, options);
  if (options.count) {
    for await (const _ of batches);
    await context.terminal.write(`${result.shown}\n`);
  } else {
    await writer.writeRows(batches);
  }
  reportRest(context, options, result);
}

async function openList(
  { connect, terminal }: Context,
  matches: Selection['matches'],
  { status, limit, all, count, newest }: ListOptions,
): Promise<Reading> {
  const { client } = await connect();
  const wanted = all || count ? Number.POSITIVE_INFINITY : (limit ?? pageLimits.default);
  const size = matches === undefined ? Math.min(wanted, pageLimits.max) : pageLimits.max;
  const query = { limit: size, status };
  const pages = newest ? readNewestFirst(client, query, terminal) : client.eachPage(query);
  const looksFurther = limit === undefined;
  return selectPets(watchPages(terminal, pages), { matches, wanted, looksFurther });
}

function createFilter(text: string, category: bigint | undefined) {
  if (text === '' && category === undefined) return undefined;
  const part = simplify(text);
  return ({ name, categoryId }: Pet) =>
    simplify(name).includes(part) && (category === undefined || category === categoryId);
}

/** An accent may be part of its letter, or a character of its own, as macOS writes it. */
function simplify(text: string): string {
  return text.normalize().toLowerCase();
}

function explainEmpty(text: string, { status, category }: ListOptions): string | undefined {
  if (text === '') return undefined;
  const others = status === undefined && category === undefined ? 'No pet' : 'No such pet';
  return `${others} has ${quoteValue(text)} in its name.`;
}

/** A list that is not whole says so, unless its length was asked for. */
function reportRest(
  { terminal }: Context,
  { limit, all, count, newest }: ListOptions,
  { shown, more }: Reading['result'],
): void {
  if (more === 'no' || limit !== undefined) return;
  const known =
    more === 'yes' ? 'there are more' : 'the service does not say whether there are more';
  const rest = newest ? '--all shows every pet.' : '--all shows every pet, --newest the latest.';
  const message = `Showing ${shown}; ${known}.${all || count ? '' : ` ${rest}`}`;
  terminal.warn('cli_more_pets', message);
}
