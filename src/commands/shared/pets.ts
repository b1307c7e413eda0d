import type { Pet, PetStatus } from '../../contract/pet.ts';
import type { Context } from '../../program/context.ts';
import { type Color, type Column, createWriter, type Writer } from '../../terminal/formats.ts';

const statusColors: Readonly<Record<PetStatus, Color>> = {
  available: 'green',
  pending: 'yellow',
  sold: 'dim',
};

export const petColumns: readonly Column<Pet>[] = [
  { name: 'id', value: ({ id }) => id, align: 'right' },
  { name: 'name', value: ({ name }) => name, isShortened: true },
  { name: 'categoryId', title: 'CATEGORY', value: ({ categoryId }) => categoryId, align: 'right' },
  {
    name: 'status',
    value: ({ status }) => status,
    color: ({ status }) => status && statusColors[status],
  },
];

/** Writes pets in the format of this command line. @throws UserError for a field that pets do not have. */
export function createPetWriter({ terminal, options }: Context): Writer<Pet> {
  return createWriter(terminal, { columns: petColumns, whenEmpty: 'No pets found.' }, options);
}
