import type { Command } from 'commander';
import { RequestError } from '../client/failure.ts';
import type { PetstoreClient } from '../client/petstore-client.ts';
import { parseInt64 } from '../contract/int64.ts';
import { GET_PET_SUNSET, pageLimits } from '../contract/operations.ts';
import type { Pet } from '../contract/pet.ts';
import { UserError } from '../errors.ts';
import type { Context, RunAction } from '../program/context.ts';
import { alsoOptions, describeCommand } from '../program/help.ts';
import { findTypedFormat } from '../program/options.ts';
import { parseTypedInt64 } from '../program/values.ts';
import { listPets } from './list.ts';
import { createPetOutput } from './shared/pets.ts';
import { watchPages } from './shared/read-pets.ts';

export function declare(command: Command, run: RunAction): void {
  describeCommand(command, {
    sentence: 'Show one pet by its number.',
    examples: ['petstore get 42', 'petstore get 42 --json', 'petstore get 42 --env staging'],
    also: alsoOptions.reads,
  })
    .argument('<id>', 'the number of the pet')
    .allowExcessArguments()
    .action(run(getPet));
}

async function getPet(
  context: Context,
  _id: string,
  _options: unknown,
  { args: words }: Command,
): Promise<void> {
  const text = words.join(' ').trim();
  // Where a person reads a table, what is no number is part of a name.
  if (parseInt64(text) === undefined && text !== '' && readsTable(context))
    return await listPets(context, words, {});
  const id = parseTypedInt64(text, 'the number of a pet', [['petstore', 'get', '--help']]);
  const writer = await createPetOutput(context);
  const { client, environment } = await context.connect();
  const pet =
    (await client
      .getPet(id)
      .catch((error) => requireRemovedOperation(error, id, environment.name))) ??
    (await findInList(context, client, id));
  if (pet !== undefined) return await writer.writeRow(pet);
  throw new UserError('cli_not_found', `There is no pet ${id} in ${environment.name}.`, {
    outcome: 'not_applied',
    try: [['petstore', 'list', '--env', environment.name]],
  });
}

function readsTable({ terminal, options }: Context): boolean {
  const isAsked = findTypedFormat(options) !== undefined || terminal.format !== 'table';
  return terminal.isInteractive && terminal.stdout.isTerminal && !isAsked;
}

/** Nothing where the service has removed the operation, and its list says more. */
function requireRemovedOperation(error: unknown, id: bigint, name: string): undefined {
  if (!(error instanceof RequestError)) throw error;
  const { status, serverDate } = error;
  const isGone = status === 410 || (status === 404 && serverDate && serverDate >= GET_PET_SUNSET);
  if (isGone) return undefined;
  if (status !== 404 || error.code === 'cli_unexpected_response') throw error;
  const message = `There is no pet ${id} in ${name}.`;
  throw error.amend({ message, try: [['petstore', 'list', '--env', name]] });
}

async function findInList(
  { terminal }: Context,
  client: PetstoreClient,
  id: bigint,
): Promise<Pet | undefined> {
  const pages = client.eachPage({ limit: pageLimits.max });
  for await (const { pets } of watchPages(terminal, pages)) {
    const found = pets.find((pet) => pet.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}
