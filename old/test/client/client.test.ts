import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient } from '../../src/client/client.ts';
import { startService } from '../support/service.ts';

async function open(pets: number) {
  const service = await startService({
    pets: Array.from({ length: pets }, (_, index) => ({
      name: `Pet ${index + 1}`,
      categoryId: 7n,
    })),
  });
  onTestFinished(service.close);
  const client = createPetstoreClient({ baseUrl: service.url, apiKey: service.key });
  onTestFinished(client.close);
  return { service, client };
}

describe('the client, against the running service', () => {
  it('follows next links to the last page', async () => {
    const { client } = await open(25);
    const first = await client.listPets();
    expect(first).toMatchObject({ more: 'yes' });
    expect(first.pets).toHaveLength(20);
    const second = first.next && (await client.listNextPage(first.next));
    expect(second).toMatchObject({ more: 'no', next: undefined });
    expect(second?.pets.map((pet) => pet.id)).toEqual([21n, 22n, 23n, 24n, 25n]);
  });

  it('a full last page of this service is complete', async () => {
    const { client } = await open(2);
    expect(await client.listPets({ limit: 2 })).toMatchObject({ more: 'no' });
  });

  it('adds once for one idempotency key', async () => {
    const { client } = await open(0);
    const add = () =>
      client.createPet({ name: 'Rex', categoryId: 9223372036854775807n }, { idempotencyKey: 'k' });
    expect(await add()).toEqual({
      pet: { id: 1n, name: 'Rex', categoryId: 9223372036854775807n, status: 'available' },
      isReplay: false,
    });
    expect(await add()).toMatchObject({ isReplay: true });
    expect((await client.listPets()).pets).toHaveLength(1);
  });

  it('gets a pet', async () => {
    const { client } = await open(1);
    expect(await client.getPet(1n)).toMatchObject({ id: 1n, name: 'Pet 1' });
    await expect(client.getPet(2n)).rejects.toMatchObject({
      failure: { kind: 'response', status: 404 },
    });
  });
});
