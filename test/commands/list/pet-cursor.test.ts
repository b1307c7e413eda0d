import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Page, PetstoreClient } from '../../../src/client/client.ts';
import { openCursor } from '../../../src/commands/list/pet-cursor.ts';
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
    };
  };
  const client: Pick<PetstoreClient, 'listPets' | 'listNextPage'> = {
    listPets: () => read(0),
    listNextPage: (next) => read(Number(next.searchParams.get('page'))),
  };
  return { asked, client };
}

describe('a cursor', () => {
  it('asks for the next page while one is worked on', async () => {
    const { asked, client } = createList(3);
    const cursor = openCursor(client, {}, Number.POSITIVE_INFINITY);
    expect(await cursor.take(100)).toHaveLength(2);
    expect(asked).toEqual([0, 1]);
  });

  it('gives every pet once, in order', async () => {
    const { asked, client } = createList(3);
    const cursor = openCursor(client, {}, Number.POSITIVE_INFINITY);
    const ids: bigint[] = [];
    for (let pets = await cursor.take(100); pets.length > 0; pets = await cursor.take(100)) {
      ids.push(...pets.map(({ id }) => id));
    }
    expect(ids).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
    expect(asked).toEqual([0, 1, 2]);
    expect(cursor.more()).toBe('no');
  });

  it.each([
    [1, [0]],
    [2, [0]],
    [3, [0, 1]],
    [4, [0, 1]],
  ])('asks for no page that %i wanted pets do not need', async (wanted, pages) => {
    const { asked, client } = createList(5);
    const cursor = openCursor(client, {}, wanted);
    for (let left = wanted; left > 0; ) left -= (await cursor.take(left)).length;
    await nextTurn();
    expect(asked).toEqual(pages);
    expect(cursor.more()).toBe('yes');
  });

  it('reports the failure of a page when that page is due, not before', async () => {
    const { client } = createList(3, 1);
    const cursor = openCursor(client, {}, Number.POSITIVE_INFINITY);
    expect(await cursor.take(1)).toHaveLength(1);
    await nextTurn();
    expect(await cursor.take(1)).toHaveLength(1);
    await expect(cursor.take(1)).rejects.toThrow('no page 1');
  });
});
