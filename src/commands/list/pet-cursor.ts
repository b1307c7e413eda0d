import type { Page, PageQuery, PetstoreClient } from '../../client/client.ts';
import type { Pet } from '../../contract/pet.ts';

/** Reads one list of the service pet by pet, a page at a time. */
export interface PetCursor {
  /** The pet to come, fetching a page when there is none at hand; undefined at the end. */
  peek(): Promise<Pet | undefined>;
  /** Steps over what `peek` gave. */
  advance(): void;
  /** Whether the list goes on after what was stepped over. */
  more(): Page['more'];
}

export function openCursor(client: PetstoreClient, query: PageQuery): PetCursor {
  let page: Page | undefined;
  let at = 0;
  return {
    async peek() {
      page ??= await client.listPets(query);
      while (at >= page.pets.length && page.next !== undefined) {
        page = await client.listNextPage(page.next);
        at = 0;
      }
      return page.pets[at];
    },
    advance() {
      at += 1;
    },
    more: () => (page === undefined || at < page.pets.length ? 'yes' : page.more),
  };
}

/** Takes pets from several lists in the order of their ids, holding a page of each at most. */
export async function* mergeById(cursors: readonly PetCursor[]): AsyncGenerator<Pet> {
  while (true) {
    let first: { pet: Pet; cursor: PetCursor } | undefined;
    for (const cursor of cursors) {
      const pet = await cursor.peek();
      if (pet !== undefined && (first === undefined || pet.id < first.pet.id))
        first = { pet, cursor };
    }
    if (first === undefined) return;
    first.cursor.advance();
    yield first.pet;
  }
}
