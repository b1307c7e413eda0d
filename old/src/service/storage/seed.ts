import type { NewPet } from '../../contract/pet.ts';
import { issueKey } from '../keys/issue-key.ts';
import type { Store } from './store.ts';

const names = ['Rex', 'Bella', 'Nemo', 'Luna', 'Charlie', 'Milo', 'Coco', 'Ziggy', 'Pip', 'Olive'];
const statuses = ['available', 'available', 'pending', 'sold'] as const;

/** Enough pets for a second and a third page. */
const SAMPLE_PETS = 48;

/** The sample pets, the same every time. */
function listSamplePets(): Required<NewPet>[] {
  return Array.from({ length: SAMPLE_PETS }, (_, index) => ({
    name: `${names[index % names.length]}${index < names.length ? '' : ` ${Math.floor(index / names.length) + 1}`}`,
    categoryId: BigInt((index % 5) + 1),
    status: statuses[index % statuses.length] ?? 'available',
  }));
}

/**
 * Puts sample pets into a store without pets, and a development key if it has no key: whoever created one has it. Returns
 * that key, or undefined when none was made.
 */
export async function seedStore(store: Store, now: Date): Promise<string | undefined> {
  const present = await store.listPets({ after: 0n, limit: 1 });
  if (present.json !== '[]') return undefined;
  await store.addPets(
    listSamplePets().map((pet) => ({ pet })),
    now,
  );
  if ((await store.listKeys()).length > 0) return undefined;
  const { key } = await issueKey(store, { name: 'development', createdAt: now });
  return key;
}
