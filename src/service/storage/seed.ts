import type { NewPet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import { createKey } from '../api-keys.ts';
import type { Store } from './store.ts';

const names = ['Rex', 'Bella', 'Nemo', 'Luna', 'Charlie', 'Milo', 'Coco', 'Ziggy', 'Pip', 'Olive'];
const statuses = ['available', 'available', 'pending', 'sold'] as const;

/** Enough pets for a third page. */
const SAMPLE_PETS = 48;
const DAY_MS = 24 * 60 * 60 * 1000;

/** @throws UserError `cli_usage` when there are pets */
export async function requireNoPets(store: Pick<Store, 'listPets'>): Promise<void> {
  const { json } = await store.listPets({ limit: 1, order: 'asc' });
  if (json === '[]') return;
  throw new UserError('cli_usage', 'There are pets in this database: --seed needs an empty one.');
}

/**
 * Puts sample pets, the same every time, and a key that expires after a day into a store without pets.
 * @param print gets the key's text, see `createKey`
 * @throws UserError `cli_usage` when there are pets
 */
export async function seedStore(
  store: Store,
  now: Date,
  print: (key: string) => Promise<void>,
): Promise<void> {
  await requireNoPets(store);
  const details = {
    name: `seed ${now.toISOString().slice(0, 19)}`,
    access: 'write',
    createdAt: now,
    expiresAt: new Date(now.getTime() + DAY_MS),
  } as const;
  const { id: keyId } = await createKey(store, details, print);
  const additions = Array.from({ length: SAMPLE_PETS }, (_, index) => ({
    pet: samplePet(index),
    keyId,
  }));
  await store.addPets(additions, now);
}

function samplePet(index: number): Required<NewPet> {
  const round = Math.floor(index / names.length) + 1;
  return {
    name: `${names[index % names.length]}${round === 1 ? '' : ` ${round}`}`,
    categoryId: BigInt((index % 5) + 1),
    status: statuses[index % statuses.length] ?? 'available',
  };
}
