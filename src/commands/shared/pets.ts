import type { Pet, PetStatus } from '../../contract/pet.ts';
import type { Context } from '../../program/context.ts';
import { type Color, createWriter, type Sheet, type Writer } from '../../terminal/formats.ts';

const statusColors: Readonly<Record<PetStatus, Color>> = {
  available: 'green',
  pending: 'yellow',
  sold: 'dim',
};

const petSheet: Sheet<Pet> = {
  columns: [
    { name: 'id', value: ({ id }) => id, align: 'right' },
    { name: 'name', value: ({ name }) => name, isShortened: true },
    {
      name: 'categoryId',
      title: 'CATEGORY',
      value: ({ categoryId }) => categoryId,
      align: 'right',
    },
    {
      name: 'status',
      value: ({ status }) => status,
      color: ({ status }) => status && statusColors[status],
    },
  ],
  whenEmpty: 'No pets found.',
};

/** Writes pets in the format of this command line. @throws UserError for a field that pets do not have. */
export function createPetWriter({ terminal, options }: Context): Writer<Pet> {
  return createWriter(terminal, petSheet, options);
}
