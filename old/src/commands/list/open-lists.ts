import type { PetstoreClient } from '../../client/client.ts';
import { pageLimits } from '../../contract/operations.ts';
import type { PetStatus } from '../../contract/pet.ts';
import { type PetBatch, readPages } from '../shared/read-pages.ts';

/** One list per status, merged: the service filters by one only. @param wanted no page is fetched beyond so many pets. */
export function openLists(
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
