import type { Page, PageQuery, PetstoreClient } from '../../client/client.ts';
import { createPageChain } from '../../client/page-chain.ts';
import type { Pet } from '../../contract/pet.ts';
import { petFields } from '../../contract/pet-fields.ts';
import type { Context } from '../../program/context/context.ts';
import type { RecordOptions, RecordSheet } from '../../terminal/records/record-sheet.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';

/** What a list brought at once, and whether it has more. */
export type PetBatch = Pick<Page, 'pets' | 'more'>;

/**
 * Reads a list page by page. While a page is processed the next one is fetched, so that client and service work at the same time.
 * @param wanted pets that will be read at most: no page is fetched beyond them.
 */
export async function* readPages(
  client: Pick<PetstoreClient, 'listPets' | 'listNextPage'>,
  query: PageQuery,
  wanted: number,
): AsyncGenerator<PetBatch> {
  const checkPage = createPageChain();
  let received = 0;
  let pending: Promise<Page> | undefined = client.listPets(query);
  while (pending !== undefined) {
    const page: Page = await pending;
    checkPage(page);
    received += page.pets.length;
    const hasNext = page.next !== undefined && received < wanted;
    pending = hasNext && page.next ? client.listNextPage(page.next) : undefined;
    // A failure is reported when the page is asked for, and not at all when it never is.
    pending?.catch(() => {});
    yield page;
  }
}

/** How pets are written: only names are ever shortened. */
export const petSheet: RecordSheet<Pet> = {
  columns: [
    { name: 'id', heading: 'ID', align: 'right', overflow: 'none' },
    { name: 'name', heading: 'NAME', overflow: 'shorten' },
    { name: 'categoryId', heading: 'CATEGORY', align: 'right', overflow: 'none' },
    {
      name: 'status',
      heading: 'STATUS',
      overflow: 'none',
      mark: (text, { status }, style) => (status === undefined ? text : style.status(status)),
    },
  ],
  id: ({ id }) => id,
  emptyNotice: 'No pets found.',
};

/** For commands about one pet, which is not an array in JSON. */
export async function writePet(context: Context, pet: Pet): Promise<void> {
  const options = { ...readRecordOptions(context), isSingle: true };
  await writeRecords(context.terminal, [pet], petSheet, options);
}

/** How the options of this run want pets written. */
export function readRecordOptions({ options }: Context): RecordOptions {
  return {
    fields: options.fields ?? petFields,
    hasStringIds: options.stringIds ?? false,
    isExcel: options.excel ?? false,
  };
}
