import type { Page, PetstoreClient } from '../../client/client.ts';
import { pageLimits } from '../../contract/operations.ts';
import type { PetStatus } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { Context } from '../../program/context/context.ts';
import { createRecordWriter } from '../../terminal/records/record-writer.ts';
import { formatShellLine } from '../../terminal/text/shell-line.ts';
import { type PetBatch, petSheet, readPages, readRecordOptions } from '../shared/pets.ts';
import { announceTarget } from '../shared/target.ts';

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
  const writer = createRecordWriter(context.terminal, petSheet, readRecordOptions(context));
  let shown = 0;
  let more: Page['more'] = 'no';
  for await (const page of openLists(await context.client(), options.status, wanted)) {
    const pets = page.pets.slice(0, wanted - shown);
    shown += pets.length;
    more = pets.length < page.pets.length ? 'yes' : page.more;
    await writer.add(pets);
    if (shown >= wanted) break;
  }
  await writer.finish();
  if (more !== 'no') reportMore(context, options, shown, more);
}

/** One list per status, merged: the service filters by one only. */
function openLists(
  client: PetstoreClient,
  statuses: readonly PetStatus[] = [],
  wanted: number,
): AsyncGenerator<PetBatch> {
  const limit = Math.min(wanted, pageLimits.max);
  const [first, ...others] = [...new Set(statuses)].map((status) =>
    readPages(client, { limit, status }, wanted),
  );
  if (first === undefined) return readPages(client, { limit }, wanted);
  return others.length === 0 ? first : mergeById([first, ...others]);
}

/** Merges lists in the order of their ids, holding one page of each at most. */
async function* mergeById(lists: readonly AsyncGenerator<PetBatch>[]): AsyncGenerator<PetBatch> {
  const open = lists.map((pages): OpenList => ({ pages, pets: [], more: 'yes' }));
  while (true) {
    for (const list of open) await refill(list);
    // Up to where the first of these pages ends, no list has pets that are still to come.
    const [end] = open.flatMap(({ pets }) => pets.at(-1)?.id ?? []).sort(compareIds);
    if (end === undefined) return;
    const pets = open.flatMap((list) =>
      list.pets.splice(0, list.pets.findLastIndex(({ id }) => id <= end) + 1),
    );
    pets.sort((one, other) => compareIds(one.id, other.id));
    const rests = open.map((list) => (list.pets.length > 0 ? 'yes' : list.more));
    yield {
      pets,
      more: (['yes', 'unknown'] as const).find((more) => rests.includes(more)) ?? 'no',
    };
  }
}

function compareIds(one: bigint, other: bigint): number {
  return one < other ? -1 : 1;
}

/** A list whose current page may be read in part. */
interface OpenList extends PetBatch {
  pages: AsyncGenerator<PetBatch>;
}

async function refill(list: OpenList): Promise<void> {
  while (list.pets.length === 0) {
    const { done, value } = await list.pages.next();
    if (done) return;
    list.pets = value.pets;
    list.more = value.more;
  }
}

function reportMore(
  { terminal, environments }: Context,
  options: ListOptions,
  shown: number,
  more: 'yes' | 'unknown',
): void {
  const rest = more === 'yes' ? 'more exist' : 'more may exist: the service does not say';
  const sentence = `Showing ${shown} ${shown === 1 ? 'pet' : 'pets'}; ${rest}.`;
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
