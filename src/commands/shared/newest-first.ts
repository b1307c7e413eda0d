import { RequestError } from '../../client/failure.ts';
import type { Page, PageQuery, PetstoreClient } from '../../client/petstore-client.ts';
import { pageLimits } from '../../contract/operations.ts';
import type { Pet } from '../../contract/pet.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { watchPages } from './read-pets.ts';

/** One pet alone does not show in which order it came. */
const FEWEST = 2;

/** Pages of pets, newest first: `order` is an addition of our service, and another one may refuse or ignore it. */
export async function* readNewestFirst(
  client: PetstoreClient,
  query: PageQuery,
  terminal: Terminal,
): AsyncGenerator<Page, void> {
  const limit = Math.max(query.limit ?? FEWEST, FEWEST);
  const pages = client.eachPage({ ...query, limit, order: 'desc' });
  const first = await pages.next().catch(refuseOrder);
  if (first === 'refused' || (!first.done && isAscending(first.value.pets))) {
    terminal.notice('This service lists the oldest first, so the whole list is read.');
    const all = client.eachPage({ ...query, limit: pageLimits.max });
    return yield* turnAround(watchPages(terminal, all));
  }
  if (first.done) return;
  yield first.value;
  yield* pages;
}

function refuseOrder(error: unknown): 'refused' {
  if (error instanceof RequestError && error.status === 400) return 'refused';
  throw error;
}

function isAscending([first, second]: readonly Pet[]): boolean {
  return first !== undefined && second !== undefined && first.id < second.id;
}

async function* turnAround(pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
  const all: Pet[] = [];
  let more: Page['more'] = 'no';
  for await (const page of pages) {
    for (const pet of page.pets) all.push(pet);
    more = page.more;
  }
  yield { pets: all.reverse(), more };
}
