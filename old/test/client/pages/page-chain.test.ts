import { expect, it } from 'vitest';
import type { Page } from '../../../src/client/client.ts';
import { createPageChain } from '../../../src/client/pages/page-chain.ts';

const url = (cursor: number) => `https://pets.example/v1/pets?cursor=${cursor}`;
const pet = { id: 1n, name: 'Rex', categoryId: 7n };
const page = (at: number, next: number | undefined, pets: Page['pets'] = [pet]) => ({
  pets,
  request: { method: 'GET', url: url(at), id: 'r1' } as const,
  next: next === undefined ? undefined : new URL(url(next)),
  more: next === undefined ? ('no' as const) : ('yes' as const),
});

it('three empty pages in a row, and a link to one more, end a list', () => {
  const follow = createPageChain();
  follow(page(1, 2, []));
  follow(page(2, 3, []));
  expect(() => follow(page(3, 4, []))).toThrow(
    expect.objectContaining({
      outcome: 'not_applied',
      failure: {
        kind: 'unexpected_response',
        status: 200,
        reason: '3 empty pages in a row, and a link to one more',
      },
    }),
  );
});

it('a page with a pet begins the count anew, and the last page may be empty', () => {
  const follow = createPageChain();
  for (const [at, pets] of [[], [], [pet], [], []].entries()) follow(page(at, at + 1, pets));
  follow(page(9, undefined, []));
});

it.each([1, 2, 3])('a link back to page %i ends a list', (back) => {
  const follow = createPageChain();
  follow(page(1, 2));
  follow(page(2, 3));
  expect(() => follow(page(3, back))).toThrow(
    `a link to a next page that was read before: ${url(back)}`,
  );
});

it('a page is read ahead unless it was read before, or follows an empty one', () => {
  const follow = createPageChain();
  const mayReadAhead = (cursor: number) => follow.mayReadAhead(new URL(url(cursor)));
  expect([mayReadAhead(1), mayReadAhead(2)]).toEqual([true, true]);
  follow(page(1, 2));
  expect([mayReadAhead(1), mayReadAhead(2)]).toEqual([false, true]);
  follow(page(2, 3, []));
  expect([mayReadAhead(2), mayReadAhead(3)]).toEqual([false, false]);
});
