import type { Page, PageQuery, PetstoreClient } from '../../client/client.ts';
import type { Pet } from '../../contract/pet.ts';

/** Reads one list of the service page by page. */
export interface PetCursor {
  /** The next pet, fetching a page when needed; undefined at the end. */
  peek(): Promise<Pet | undefined>;
  /** Skips what `peek` returned. */
  advance(): void;
  /** The next pets, at most `count` and only of one page; none at the end. */
  take(count: number): Promise<readonly Pet[]>;
  /** Whether the list has more than what was read. */
  more(): Page['more'];
}

/**
 * Opens a list. While a page is processed the next one is fetched, so that client and service work at the same time.
 * @param wanted pets that will be read at most: no page is fetched beyond them.
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

  async function receive(pending: Promise<Page>): Promise<Page> {
    const arrived = await pending;
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

/** Merges several lists in the order of their ids, holding one page of each at most. */
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
