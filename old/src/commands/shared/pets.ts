import type { Pet } from '../../contract/pet.ts';
import { petFields } from '../../contract/pet-fields.ts';
import type { Context } from '../../program/context/context.ts';
import type { RecordOptions, RecordSheet } from '../../terminal/records/record-sheet.ts';
import { writeRecords } from '../../terminal/records/record-writer.ts';

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
