import type { Page, PageQuery, PetstoreClient } from '../../client/client.ts';
import type { Pet } from '../../contract/pet.ts';

/** Reads one list of the service, a page at a time. */
export interface PetCursor {
  /** The pet to come, fetching a page when there is none at hand; undefined at the end. */
  peek(): Promise<Pet | undefined>;
  /** Steps over what `peek` gave. */
  advance(): void;
  /** The pets to come and steps over them: what is left of a page, at most so many; none at the end. */
  take(count: number): Promise<readonly Pet[]>;
  /** Whether the list goes on after what was stepped over. */
  more(): Page['more'];
}

/**
 * Opens a list of which at most so many pets are wanted. While a page is worked on the next one is fetched, as far as it
 * will be needed: otherwise client and service only take turns.
 */
export function openCursor(
  client: Pick<PetstoreClient, 'listPets' | 'listNextPage'>,
  query: PageQuery,
  wanted: number,
): PetCursor {
  let page: Page | undefined;
  let ahead: Promise<Page> | undefined;
  let at = 0;
  let received = 0;

  async function receive(coming: Promise<Page>): Promise<Page> {
    const arrived = await coming;
    page = arrived;
    at = 0;
    received += arrived.pets.length;
    ahead = undefined;
    if (arrived.next !== undefined && received < wanted) {
      ahead = client.listNextPage(arrived.next);
      // A failure is reported when the page is asked for, and not at all when it never is.
      ahead.catch(() => {});
    }
    return arrived;
  }

  async function findPage(): Promise<Page> {
    let current = page ?? (await receive(client.listPets(query)));
    while (at >= current.pets.length && current.next !== undefined) {
      current = await receive(ahead ?? client.listNextPage(current.next));
    }
    return current;
  }

  return {
    peek: async () => (await findPage()).pets[at],
    async take(count) {
      const pets = (await findPage()).pets.slice(at, at + count);
      at += pets.length;
      return pets;
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
