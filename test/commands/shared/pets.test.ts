import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Page, PetstoreClient } from '../../../src/client/client.ts';
import { readPages } from '../../../src/commands/shared/pets.ts';
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
