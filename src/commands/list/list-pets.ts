import type { Page } from '../../client/client.ts';
import { pageLimits } from '../../contract/operations.ts';
import type { Pet, PetStatus } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { createRecordWriter } from '../../terminal/records/record-writer.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { announceTarget } from '../shared/announce-target.ts';
import { petSheet, readRecordOptions } from '../shared/pet-sheet.ts';
import { mergeById, openCursor, type PetCursor } from './pet-cursor.ts';

export interface ListOptions {
  status?: PetStatus[];
  limit?: number;
  all?: boolean;
  requireComplete?: boolean;
}

/** Lists pets and never lets a part look complete. */
export async function listPets(context: Context, options: ListOptions): Promise<void> {
  await announceTarget(context);
  const wanted = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? pageLimits.default);
  const client = await context.client();
  const statuses = [...new Set(options.status ?? [undefined])];
  const limit = Math.min(wanted, pageLimits.max);
  const cursors = statuses.map((status) =>
    openCursor(client, { limit, ...(status && { status }) }, wanted),
  );
  const writer = createRecordWriter(context.terminal, petSheet, readRecordOptions(context));
  let shown = 0;
  const [first, ...others] = cursors;
  const batches =
    first && others.length === 0
      ? takePages(first, wanted)
      : takeBatches(mergeById(cursors), wanted);
  for await (const batch of batches) {
    shown += batch.length;
    await writer.add(batch);
  }
  await writer.finish();
  reportMore(context, options, shown, cursors);
}

/** The pages of a single list as they are, for speed: see bench/README.md. */
async function* takePages(cursor: PetCursor, wanted: number): AsyncGenerator<readonly Pet[]> {
  for (let left = wanted; left > 0; ) {
    const pets = await cursor.take(left);
    if (pets.length === 0) return;
    left -= pets.length;
    yield pets;
  }
}

/** A page of pets at a time: one write per pet would be slow, all in one would not be constant memory. */
async function* takeBatches(pets: AsyncIterable<Pet>, wanted: number): AsyncGenerator<Pet[]> {
  let batch: Pet[] = [];
  let left = wanted;
  for await (const pet of pets) {
    batch.push(pet);
    left -= 1;
    if (left <= 0) break;
    if (batch.length >= pageLimits.max) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

function reportMore(
  { terminal, environments }: Context,
  options: ListOptions,
  shown: number,
  cursors: readonly PetCursor[],
): void {
  const remaining = new Set<Page['more']>(cursors.map((cursor) => cursor.more()));
  if (!remaining.has('yes') && !remaining.has('unknown')) return;
  const more = remaining.has('yes') ? 'more exist' : 'more may exist: the service does not say';
  const sentence = `Showing ${shown} ${shown === 1 ? 'pet' : 'pets'}; ${more}.`;
  const message = options.all ? sentence : `${sentence} Use --all.`;
  if (options.requireComplete)
    throw new UserError('cli_incomplete', message, {
      outcome: 'not_applied',
      ...(options.all ? {} : { next: [listAllCommand(environments.target().name, options)] }),
    });
  terminal.warn(message, { shown, complete: false });
}

/** The line that lists all of them, in the same environment. */
function listAllCommand(environment: string, { status = [] }: ListOptions): string {
  const statuses = status.flatMap((one) => ['--status', one]);
  return formatShellLine(['petstore', 'list', '--env', environment, '--all', ...statuses]);
}
