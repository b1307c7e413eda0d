import type { OnNext, Page, PageQuery, PetstoreClient } from '../../client/client.ts';
import { createPageChain } from '../../client/pages/page-chain.ts';
import type { AheadOptions } from '../../client/requests/send-request.ts';

/** What a list brought at once, and whether it has more. */
export type PetBatch = Pick<Page, 'pets' | 'more'>;

type ListClient = Pick<PetstoreClient, 'listPets' | 'listNextPage'>;

/** A page that was asked for, and the one after it once that was asked for too. */
interface Reading {
  /** Says that the page is wanted now, so that the service may work on the next one as soon as its link arrives. */
  takePage(): Promise<Page>;
  /** The page after this one, by the link of the whole response. */
  readNext(next: URL): Reading;
  giveUp(): void;
}

/**
 * Reads a list page by page. While a page arrives and is processed the next one is fetched, so that client and service
 * work at the same time; never more than one ahead.
 * @param wanted pets that will be read at most: no page is fetched beyond them.
 */
export async function* readPages(
  client: ListClient,
  query: PageQuery,
  wanted: number,
): AsyncGenerator<PetBatch> {
  const checkPage = createPageChain();
  // How many pets a page brings is known only once it was read.
  const mayReadAhead = (next: URL) =>
    wanted === Number.POSITIVE_INFINITY && checkPage.mayReadAhead(next);
  let received = 0;
  const list = { client, mayReadAhead, givingUp: new AbortController() };
  let reading: Reading | undefined = startReading(list, (onNext) => client.listPets(query, onNext));
  while (reading !== undefined) {
    const page: Page = await reading.takePage();
    checkPage(page);
    received += page.pets.length;
    reading =
      page.next !== undefined && received < wanted ? reading.readNext(page.next) : undefined;
    yield page;
  }
}

/** What the readings of one list share. */
interface ListReading {
  client: ListClient;
  mayReadAhead(next: URL): boolean;
  /** Ends the page that is read ahead; the next one has another. */
  givingUp: AbortController;
}

function startReading(
  list: ListReading,
  read: (onNext: OnNext, ahead: AheadOptions) => Promise<Page>,
): Reading {
  const { client, mayReadAhead } = list;
  let want = () => {};
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  let isWanted = false;
  let linked: URL | undefined;
  let ahead: { href: string; reading: Reading } | undefined;
  const readAt = (url: URL) =>
    startReading(list, (onNext, options) => client.listNextPage(url, onNext, options));
  const readAhead = () => {
    if (!isWanted || linked === undefined || ahead !== undefined || !mayReadAhead(linked)) return;
    ahead = { href: linked.href, reading: readAt(linked) };
  };
  const page = read(
    (next) => {
      linked = next;
      readAhead();
    },
    { wanted, signal: list.givingUp.signal },
  );
  // A failure is reported when the page is taken, and not at all when it never is.
  page.catch(() => {});
  return {
    takePage() {
      isWanted = true;
      want();
      readAhead();
      return page;
    },
    // An attempt that broke off may have linked to another page than the one that succeeded.
    readNext(next) {
      if (ahead?.href === next.href) return ahead.reading;
      ahead?.reading.giveUp();
      return readAt(next);
    },
    giveUp() {
      list.givingUp.abort();
      list.givingUp = new AbortController();
    },
  };
}
