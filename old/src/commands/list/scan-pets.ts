import type { Page } from '../../client/client.ts';
import type { Pet, PetStatus } from '../../contract/pet.ts';
import type { Context } from '../../program/context/context.ts';
import { openProgress } from '../../terminal/progress.ts';
import type { PetBatch } from '../shared/read-pages.ts';
import { openLists } from './open-lists.ts';
import { createPetFilter, type PetFilter } from './pet-filter.ts';

/** Which pets are asked for. */
export interface PetSelection extends PetFilter {
  status?: PetStatus[];
  /** Take every one, or only the first of them. */
  wanted: number;
}

/** How many pets were taken, and whether the service has more of them. */
export interface ScanResult {
  taken: number;
  more: Page['more'];
}

/** Reads pages until enough pets of the selection were taken. */
export async function scanPets(
  context: Context,
  selection: PetSelection,
  take: (pets: readonly Pet[]) => Promise<void> | void,
): Promise<ScanResult> {
  const { wanted, status } = selection;
  const matches = createPetFilter(selection);
  // A filter of ours cannot say how many pets it takes to find the wanted ones.
  const read = matches === undefined ? wanted : Number.POSITIVE_INFINITY;
  const result: ScanResult = { taken: 0, more: 'no' };
  const found = () => (matches === undefined ? {} : { found: result.taken });
  const pages = openLists(await context.client(), status, read);
  const isLong = read === Number.POSITIVE_INFINITY;
  for await (const page of isLong ? watchPages(context, pages, found) : pages) {
    const fitting = matches === undefined ? page.pets : page.pets.filter(matches);
    const pets = fitting.slice(0, wanted - result.taken);
    result.taken += pets.length;
    result.more = pets.length < fitting.length ? 'yes' : page.more;
    await take(pets);
    // With a filter the next match is looked for too: only it tells whether more exist.
    const isKnown = matches === undefined || pets.length < fitting.length;
    if (result.taken >= wanted && isKnown) break;
  }
  return result;
}

/** Passes pages on, and shows how many pets were read so far. */
async function* watchPages(
  { terminal, clock }: Context,
  pages: AsyncIterable<PetBatch>,
  found: () => { found?: number },
): AsyncGenerator<PetBatch> {
  const progress = openProgress(terminal, clock);
  let done = 0;
  try {
    for await (const page of pages) {
      done += page.pets.length;
      progress.update({ label: 'Pets read', done, ...found() });
      yield page;
    }
  } finally {
    progress.end();
  }
}
