import type { NewPet } from '../../contract/pet.ts';
import type { AddEntry } from '../../history/entry.ts';
import type { Context } from '../../program/context/context.ts';
import type { WriteHistory } from '../shared/write-history.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const MAX_OFFERED = 3;

/** What was added to this service from this machine, the newest first. */
async function listRecentAdds(history: WriteHistory): Promise<AddEntry[]> {
  return (await history.use(({ listRecentAdds }, { url }) => listRecentAdds(url))) ?? [];
}

/** The categories last used, newest first. */
export async function listRecentCategories(history: WriteHistory): Promise<string[]> {
  const adds = await listRecentAdds(history);
  return [...new Set(adds.map(({ pet }) => String(pet.categoryId)))].slice(0, MAX_OFFERED);
}

/** The newest add of the same name and category within the last ten minutes, if any. */
export async function findRepeated(
  history: WriteHistory,
  { clock }: Pick<Context, 'clock'>,
  pet: NewPet,
): Promise<AddEntry | undefined> {
  return (await listRecentAdds(history)).find(
    ({ pet: { name, categoryId }, at }) =>
      name === pet.name &&
      categoryId === pet.categoryId &&
      clock().getTime() - at.getTime() < TEN_MINUTES_MS,
  );
}
