import type { Page } from '../client.ts';
import { RequestError } from '../request-error.ts';

/** A filter may leave a page without pets, so one such page proves nothing. */
const MAX_EMPTY_PAGES = 3;

/** Watches a list that is read by its next links. Ids need not ascend: another service's order is its own affair. */
export interface PageChain {
  /** Takes the page that was read. @throws RequestError when the chain of pages would never end. */
  (page: Page): void;
  /** Whether a page may be asked for before the one that links to it was checked. */
  mayReadAhead(next: URL): boolean;
}

export function createPageChain(): PageChain {
  const followed = new Set<string>();
  let emptyPages = 0;
  const check = (page: Page): void => {
    followed.add(page.request.url);
    emptyPages = page.pets.length === 0 ? emptyPages + 1 : 0;
    if (page.next === undefined) return;
    if (followed.has(page.next.href))
      throw refuse(page, `a link to a next page that was read before: ${page.next.href}`);
    if (emptyPages === MAX_EMPTY_PAGES)
      throw refuse(page, `${MAX_EMPTY_PAGES} empty pages in a row, and a link to one more`);
  };
  const mayReadAhead = (next: URL) => emptyPages === 0 && !followed.has(next.href);
  return Object.assign(check, { mayReadAhead });
}

function refuse({ request }: Page, reason: string): RequestError {
  const failure = { kind: 'unexpected_response', status: 200, reason } as const;
  return new RequestError(request, failure, 'not_applied', {});
}
