import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { RequestError } from '../../client/failure.ts';
import type { CreatedPet } from '../../client/petstore-client.ts';
import type { Environment } from '../../config/environments.ts';
import { IdempotencyKey } from '../../contract/headers.ts';
import { DEFAULT_STATUS, type NewPet, type Pet, petStatuses } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import { confirmWrite } from '../../program/confirm.ts';
import type { Context, RunAction } from '../../program/context.ts';
import { alsoOptions, describeCommand } from '../../program/help.ts';
import { parseTypedInt64 } from '../../program/values.ts';
import { createWriter, type Writer } from '../../terminal/formats.ts';
import { showUnsafe } from '../../terminal/safe-text.ts';
import { createPetWriter, petColumns } from '../shared/pets.ts';
import { buildAddLine, buildLookUpLine } from './add-line.ts';
import { addMore } from './add-more.ts';
import { askPet } from './ask-pet.ts';
import {
  checkPet,
  type Draft,
  type PetOptions,
  readDraft,
  requireComplete,
} from './collect-pet.ts';

interface AddOptions extends PetOptions {
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
    .option('--category <id>', 'the number of its category', (text) =>
      parseTypedInt64(text, 'a category number'),
    )
    .addOption(new Option('--status <status>', 'available unless given').choices(petStatuses))
    .option('--from <file>', 'read the pet as a JSON object, from stdin for -')
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
  const writer = createPetWriter(context);
  const given = await readDraft(context, words, options);
  if (!terminal.isInteractive || options.from === '-') requireComplete(given);
  // Before anything is typed: without a key it would be in vain.
  const client = options.dryRun ? undefined : (await context.connect()).client;
  const environment = await context.findEnvironment();
  const pet = await completePet(context, environment, given, client !== undefined);
  if (client === undefined) return await showDryRun(context, environment, pet);
  const isTyped = given.name === undefined || given.categoryId === undefined;
  const add = async (one: NewPet) => {
    const key = options.idempotencyKey ?? randomUUID();
    const created = await client.createPet(one, key).catch((error: unknown) => {
      const isKeyTyped = options.idempotencyKey !== undefined;
      throw advise(context, environment, error, { pet: one, key, isKeyTyped, isTyped });
    });
    await printPet(context, environment, writer, created);
  };
  await add(pet);
  const isSitting = given.name === undefined && options.idempotencyKey === undefined;
  if (isSitting && terminal.format === 'table') await addMore(context, pet, add);
}

/** Asks for what is missing and for the confirmation of a protected environment. What was typed is never lost. */
async function completePet(
  context: Context,
  environment: Environment,
  given: Draft,
  isWrite: boolean,
): Promise<NewPet> {
  let draft = given;
  try {
    const pet = checkPet(
      await askPet(context, given, (typed) => {
        draft = typed;
      }),
    );
    if (isWrite) await confirmWrite(context, environment, `Add ${describePet(pet)},`);
    return pet;
  } catch (error) {
    if (!(error instanceof UserError) || !isStop(error)) throw error;
    const line = buildAddLine(context, environment, draft);
    throw new UserError(error.code, 'Stopped; nothing was added.', {
      try: draft === given ? [] : [line],
    });
  }
}

function isStop({ code }: UserError): boolean {
  return code === 'cli_interrupted' || code === 'cli_declined';
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
): Promise<void> {
  const { id, name, categoryId, status = '-' } = pet;
  const verb = isReplayed ? 'Added before:' : 'Added';
  const isLine = terminal.format === 'table' && terminal.stdout.isTerminal && !options.fields;
  try {
    if (!isLine) return await writer.writeRow(pet);
    const text = `${verb} ${id} ${name} (category ${categoryId}, ${status}).`;
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
): Promise<void> {
  if (terminal.format !== 'table') {
    const columns = petColumns.filter(({ name: column }) => column !== 'id');
    return await createWriter(terminal, { columns }, options).writeRow({ id: 0n, ...pet });
  }
  await terminal.write(`Would add ${describePet(pet)}, to ${name} (${baseUrl.href}).\n`);
}

/** `"Goldie", category 7, available`. */
function describePet({ name, categoryId, status = DEFAULT_STATUS }: NewPet): string {
  return showUnsafe(`"${name}", category ${categoryId}, ${status}`);
}

function parseKey(text: string): string {
  const result = v.safeParse(IdempotencyKey, text);
  if (result.success) return result.output;
  throw new UserError('cli_usage', `The idempotency key ${result.issues[0].message}.`);
}
