import { headers } from '../../contract/headers.ts';
import { pageLimits } from '../../contract/operations.ts';
import { Pets } from '../../contract/pet.ts';
import type { OnNext, Page } from '../client.ts';
import type { Quote } from '../quote.ts';
import { readResponse } from '../read-response.ts';
import type { AheadOptions, RequestSender } from '../requests/send-request.ts';
import type { ResponseHead } from '../transport/transport.ts';
import { findLink, isUnreadable } from './link-header.ts';

/** What the head of a page says of the one after it. */
interface NextPage {
  /** Undefined when there is none. */
  next: URL | undefined;
  /** Why the link to it is not followed. */
  problem?: ((quote: Quote) => string) | undefined;
}

/**
 * A function that reads the page at a URL.
 * @param base URL of the service, which no link leads out of.
 * @param waitForWrites resolves once the request for the next page has left.
 */
export function createPageReader(
  sender: Pick<RequestSender, 'send'>,
  base: URL,
  waitForWrites: () => Promise<void>,
) {
  return async (url: URL, onNext?: OnNext, ahead?: AheadOptions): Promise<Page> => {
    const found: NextPage = { next: undefined };
    const exchange = await sender.send({
      ...ahead,
      method: 'GET',
      url,
      onHead(head) {
        Object.assign(found, readNext(head, url, base));
        if (found.next !== undefined && found.problem === undefined) onNext?.(found.next);
      },
    });
    if (onNext !== undefined && found.next !== undefined) await waitForWrites();
    const pets = readResponse(Pets, exchange);
    const { request, response, refuse, quote } = exchange;
    const { next, problem } = found;
    if (problem !== undefined) throw refuse(problem(quote));
    const more = next === undefined ? findMore(response, url, pets.length) : 'yes';
    return { pets, next, more, request };
  };
}

function readNext(head: ResponseHead, url: URL, base: URL): NextPage {
  if (head.status >= 300) return { next: undefined, problem: undefined };
  const next = findLink(head.headers.link, 'next', url);
  if (next !== undefined) {
    next.hash = '';
    return { next, problem: findProblem(next, url, base) };
  }
  // A list that is cut short here would look complete.
  const isLost = linksPages(head) && isUnreadable(head.headers.link, url);
  return {
    next,
    problem: isLost
      ? () => 'a Link header that cannot be read, so more pets may follow'
      : undefined,
  };
}

/** The key goes nowhere but below its base URL, and a page that links to itself would never end. */
function findProblem(next: URL, url: URL, base: URL): NextPage['problem'] {
  if (next.origin !== base.origin)
    return (quote) => `a link to a next page at ${quote(next.origin)}, another origin`;
  if (next.username !== '' || next.password !== '')
    return () => 'a link to a next page with a user name or password in it';
  if (!next.pathname.startsWith(`${base.pathname}/`))
    return (quote) =>
      `a link to a next page at ${quote(next.pathname)}, outside of ${base.pathname}`;
  if (next.href === url.href) return () => 'a link from a page to itself as the next page';
  return undefined;
}

/** Every response of this service has the header, and so every page that is not the last has a link. */
function linksPages({ headers: fields }: ResponseHead): boolean {
  return headers.petstoreIdempotency.toLowerCase() in fields;
}

/** Whether pets follow a page without a link. */
function findMore(head: ResponseHead, url: URL, count: number): Page['more'] {
  const isFull = count >= Number(url.searchParams.get('limit') ?? pageLimits.default);
  return isFull && !linksPages(head) ? 'unknown' : 'no';
}
