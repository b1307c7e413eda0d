import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import * as v from 'valibot';
import { RequestError } from '../../client/failure.ts';
import type { CreatedPet } from '../../client/petstore-client.ts';
import {
  type Categories,
  formatCategory,
  parseCategory,
  readCategories,
} from '../../config/categories.ts';
import type { Environment } from '../../config/environments.ts';
import { IdempotencyKey } from '../../contract/headers.ts';
import { parseInt64 } from '../../contract/int64.ts';
import type { NewPet, Pet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context, RunAction } from '../../program/context.ts';
import { alsoOptions, describeCommand } from '../../program/help.ts';
import { parseFileName } from '../../program/values.ts';
import { createWriter, type Writer } from '../../terminal/formats.ts';
import { showUnsafe } from '../../terminal/safe-text.ts';
import { loadCategoryNames } from '../shared/categories.ts';
import { createStatusOption } from '../shared/pet-options.ts';
import { createPetColumns, createPetOutput } from '../shared/pets.ts';
import { buildAddLine, buildLookUpLine } from './add-line.ts';
import { addSitting } from './add-sitting.ts';
import { type PetOptions, readDraft, requireComplete } from './collect-pet.ts';
import { completePet } from './complete-pet.ts';
import { describePet } from './describe-pet.ts';

interface AddOptions extends Omit<PetOptions, 'category'> {
  /** A number, or a name. */
  readonly category?: string;
  readonly idempotencyKey?: string;
  readonly dryRun?: boolean;
}

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Add pets. On a terminal it asks for what is missing.',
    examples: [
      'petstore add',
      'petstore add Rex --category 7',
      'petstore add "Mrs Whiskers" --category 3 --status sold',
    ],
    also: alsoOptions.writes,
  })
    .argument('[name...]', 'the name of the pet')
    .option('-c, --category <id>', 'the number of its category, or its name')
    .addOption(createStatusOption('available unless given'))
    .option('--from <file>', 'read the pet as a JSON object, from stdin for -', parseFileName)
    .option('--idempotency-key <key>', 'the same key adds the pet only once', parseKey)
    .option('--dry-run', 'show the pet, send nothing')
    .action(run(addPets));
}

async function addPets(
  context: Context,
  words: readonly string[],
  options: AddOptions,
): Promise<void> {
  const { terminal } = context;
  const categories = await readNames(context, options.category);
  const writer = await createPetOutput(context, categories);
  const { category: typed } = options;
  const category = typed === undefined ? undefined : parseCategory(categories, typed);
  const given = await readDraft(context, words, { ...options, category });
  const { idempotencyKey, from } = options;
  // A file, or a key, is for one pet.
  const isSitting = terminal.isInteractive && given.name === undefined && !from && !idempotencyKey;
  const isOnePet = given.name !== undefined && terminal.isInteractive && from !== '-';
  if (!isSitting && !isOnePet) requireComplete(given);
  // Before anything is typed: without a key it would be in vain.
  const client = options.dryRun ? undefined : (await context.connect()).client;
  const environment = await context.findEnvironment();
  const isTyped = given.name === undefined || given.categoryId === undefined;
  const add = async (pet: NewPet) => {
    if (client === undefined) return await showDryRun(context, environment, pet, categories);
    const key = options.idempotencyKey ?? randomUUID();
    const created = await client.createPet(pet, key).catch((error: unknown) => {
      const isKeyTyped = options.idempotencyKey !== undefined;
      throw advise(context, environment, error, { pet, key, isKeyTyped, isTyped });
    });
    await printPet(context, environment, writer, created, categories);
  };
  const sitting = { context, environment, categories, isWrite: client !== undefined, add };
  if (isSitting) return await addSitting(sitting, { categoryId: category, status: options.status });
  await add(await completePet(sitting, given));
}

/** The names of categories: where a person reads them, or one was typed. */
async function readNames(context: Context, typed: string | undefined): Promise<Categories> {
  const { terminal, variables, signal } = context;
  if (typed !== undefined && parseInt64(typed.trim()) === undefined)
    return await readCategories(variables, signal);
  if (terminal.isInteractive || terminal.stdout.isTerminal) return await loadCategoryNames(context);
  return { file: undefined, names: new Map() };
}

interface Sent {
  readonly pet: NewPet;
  readonly key: string;
  /** With one that petstore made itself, the same line would add a second pet. */
  readonly isKeyTyped: boolean;
  /** Some of it was typed at a prompt, where no history of a shell has it. */
  readonly isTyped: boolean;
}

/** A failed add with the line that is safe to run: the same one with its key, or the one that looks first. */
function advise(
  context: Context,
  environment: Environment,
  error: unknown,
  { pet, key, isKeyTyped, isTyped }: Sent,
): unknown {
  if (!(error instanceof RequestError)) return error;
  const { retryable, honorsKeys } = error;
  if (error.outcome !== 'unknown')
    return isTyped
      ? error.amend({ retryable, try: [buildAddLine(context, environment, pet)] })
      : error;
  if (!honorsKeys) return error.amend({ try: [buildLookUpLine(context, environment, pet)] });
  const line = buildAddLine(context, environment, pet, key);
  return error.amend({ retryable: isKeyTyped && isWorthRepeating(error), try: [line] });
}

/** What the service refused in words is refused again, whatever an earlier attempt came to. */
function isWorthRepeating({ status = 0, isTransient }: RequestError): boolean {
  return isTransient || status < 400 || status >= 500;
}

/** On a terminal one line in place of a table. */
async function printPet(
  { terminal, options }: Context,
  environment: Environment,
  writer: Writer<Pet>,
  { pet, isReplayed }: CreatedPet,
  categories: Categories,
): Promise<void> {
  const { id, name, categoryId, status = '-' } = pet;
  const verb = isReplayed ? 'Added before:' : 'Added';
  const isLine = terminal.format === 'table' && terminal.stdout.isTerminal && !options.fields;
  try {
    if (!isLine) return await writer.writeRow(pet);
    const text = `${verb} ${id} ${name} (category ${formatCategory(categories, categoryId)}, ${status}).`;
    await terminal.write(`${showUnsafe(text)}\n`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Or a script would add it again.
    const details = [`Pet ${id} was added to ${environment.name}.`];
    throw new UserError(error.code, error.message, { outcome: 'applied', details, cause: error });
  }
}

/** What would be sent, and where to. */
async function showDryRun(
  { terminal, options }: Context,
  { name, baseUrl }: Environment,
  pet: NewPet,
  categories: Categories,
): Promise<void> {
  if (terminal.format !== 'table') {
    const columns = createPetColumns().filter(({ name: column }) => column !== 'id');
    return await createWriter(terminal, { columns }, options).writeRow({ id: 0n, ...pet });
  }
  await terminal.write(
    `Would add ${describePet(pet, categories)}, to ${name} (${baseUrl.href}).\n`,
  );
}

function parseKey(text: string): string {
  const result = v.safeParse(IdempotencyKey, text);
  if (result.success) return result.output;
  throw new UserError('cli_usage', `The idempotency key ${result.issues[0].message}.`);
}
