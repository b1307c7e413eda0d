import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { OnNext, Page, PetstoreClient } from '../../../src/client/client.ts';
import { readPages } from '../../../src/commands/shared/read-pages.ts';
import type { Pet } from '../../../src/contract/pet.ts';

/** A list of so many pages of two pets, which notes the pages that were asked for. */
function createList(pages: number, failing?: number) {
  const asked: number[] = [];
  const read = async (number: number): Promise<Page> => {
    asked.push(number);
    if (number === failing) throw new Error(`no page ${number}`);
    const pets: Pet[] = [0, 1].map((at) => ({
      id: BigInt(number * 2 + at),
      name: 'Rex',
      categoryId: 1n,
    }));
    const isLast = number === pages - 1;
    return {
      pets,
      next: isLast ? undefined : new URL(`http://pets.test/v1/pets?page=${number + 1}`),
      more: isLast ? 'no' : 'yes',
      request: { method: 'GET', url: `http://pets.test/v1/pets?page=${number}`, id: 'r' },
    };
  };
  const client: Pick<PetstoreClient, 'listPets' | 'listNextPage'> = {
    listPets: () => read(0),
    listNextPage: (next) => read(Number(next.searchParams.get('page'))),
  };
  return { asked, client };
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

const readAll = (client: Parameters<typeof readPages>[0]) =>
  readPages(client, {}, Number.POSITIVE_INFINITY);

describe('the pages of a list', () => {
  it('the next page is asked for while one is worked on', async () => {
    const { asked, client } = createList(3);
    expect((await readAll(client).next()).value?.pets).toHaveLength(2);
    expect(asked).toEqual([0, 1]);
  });

  it('every pet comes once, in order', async () => {
    const { asked, client } = createList(3);
    const pages = await collect(readAll(client));
    expect(pages.flatMap(({ pets }) => pets.map(({ id }) => id))).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
    expect(asked).toEqual([0, 1, 2]);
    expect(pages.at(-1)?.more).toBe('no');
  });

  it.each([
    [1, [0]],
    [2, [0]],
    [3, [0, 1]],
    [4, [0, 1]],
  ])('no page is asked for that %i wanted pets do not need', async (wanted, expected) => {
    const { asked, client } = createList(5);
    const pages = await collect(readPages(client, {}, wanted));
    await nextTurn();
    expect(asked).toEqual(expected);
    expect(pages.at(-1)?.more).toBe('yes');
  });

  it('the failure of a page is reported when that page is due, not before', async () => {
    const { client } = createList(3, 1);
    const pages = readAll(client);
    expect((await pages.next()).value?.pets).toHaveLength(2);
    await nextTurn();
    await expect(pages.next()).rejects.toThrow('no page 1');
  });
});

/** A list whose heads and bodies arrive when the test says. */
function createSlowList() {
  const asked: number[] = [];
  const arriving = new Map<number, { head(): void; body(): void }>();
  const next = (number: number) => new URL(`http://pets.test/v1/pets?page=${number + 1}`);
  const read = (number: number, onNext?: OnNext) => {
    asked.push(number);
    return new Promise<Page>((resolve) => {
      arriving.set(number, {
        head: () => onNext?.(next(number)),
        body: () =>
          resolve({
            pets: [{ id: BigInt(number), name: 'Rex', categoryId: 1n }],
            next: next(number),
            more: 'yes',
            request: { method: 'GET', url: `http://pets.test/v1/pets?page=${number}`, id: 'r' },
          }),
      });
    });
  };
  const client: Pick<PetstoreClient, 'listPets' | 'listNextPage'> = {
    listPets: (_, onNext) => read(0, onNext),
    listNextPage: (url, onNext) => read(Number(url.searchParams.get('page')), onNext),
  };
  return { asked, client, page: (number: number) => arriving.get(number) };
}

describe('a page whose head has arrived', () => {
  it('has the next one asked for before its pets arrive', async () => {
    const { asked, client, page } = createSlowList();
    const first = readAll(client).next();
    page(0)?.head();
    expect(asked).toEqual([0, 1]);
    page(0)?.body();
    expect((await first).value?.pets).toHaveLength(1);
    expect(asked).toEqual([0, 1]);
  });

  it('waits with that until it is wanted: never more than one page is ahead', async () => {
    const { asked, client, page } = createSlowList();
    const pages = readAll(client);
    const first = pages.next();
    page(0)?.head();
    page(0)?.body();
    await first;
    page(1)?.head();
    page(1)?.body();
    await nextTurn();
    expect(asked).toEqual([0, 1]);
    const second = pages.next();
    await nextTurn();
    expect(asked).toEqual([0, 1, 2]);
    expect((await second).value?.pets).toEqual([{ id: 1n, name: 'Rex', categoryId: 1n }]);
  });

  it('asks for no page that the wanted pets may not need', async () => {
    const { asked, client, page } = createSlowList();
    const first = readPages(client, {}, 1).next();
    page(0)?.head();
    page(0)?.body();
    await first;
    expect(asked).toEqual([0]);
  });

  it('is followed by the link of the attempt that succeeded', async () => {
    const { asked, client, page } = createSlowList();
    const givenUp: string[] = [];
    const pages = readPages(
      {
        listNextPage(url, onNext, ahead) {
          ahead?.signal.addEventListener('abort', () => givenUp.push(url.search));
          return client.listNextPage(url, onNext, ahead);
        },
        listPets: (query, onNext) => {
          onNext?.(new URL('http://pets.test/v1/pets?page=7'));
          return client.listPets(query);
        },
      },
      {},
      Number.POSITIVE_INFINITY,
    );
    const first = pages.next();
    page(0)?.body();
    await first;
    const second = pages.next();
    page(1)?.body();
    expect((await second).value?.pets).toEqual([{ id: 1n, name: 'Rex', categoryId: 1n }]);
    expect(asked).toEqual([0, 7, 1, 2]);
    expect(givenUp).toEqual(['?page=7']);
  });
});
