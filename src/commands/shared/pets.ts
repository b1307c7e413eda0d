import { type Categories, formatCategory } from '../../config/categories.ts';
import type { Pet, PetStatus } from '../../contract/pet.ts';
import type { Context } from '../../program/context.ts';
import { type Color, type Column, createWriter, type Writer } from '../../terminal/formats.ts';
import { loadCategoryNames } from './categories.ts';

const statusColors: Readonly<Record<PetStatus, Color>> = {
  available: 'green',
  pending: 'yellow',
  sold: 'dim',
};

/** @param names of categories, shown in tables with their numbers. */
export function createPetColumns(names: Categories['names'] = new Map()): readonly Column<Pet>[] {
  const category = { name: 'categoryId', title: 'CATEGORY', value: (pet: Pet) => pet.categoryId };
  return [
    { name: 'id', value: ({ id }) => id, align: 'right' },
    { name: 'name', value: ({ name }) => name, isShortened: true },
    names.size === 0
      ? { ...category, align: 'right' }
      : { ...category, show: ({ categoryId }) => formatCategory({ names }, categoryId) },
    {
      name: 'status',
      value: ({ status }) => status,
      color: ({ status }) => status && statusColors[status],
    },
  ];
}

/**
 * Writes pets in the format of this command line.
 * @param known names of categories; read where tables need them unless given. @throws UserError for a field that pets do not have.
 */
export async function createPetOutput(
  context: Context,
  known?: Categories,
  whenEmpty = 'No pets found.',
): Promise<Writer<Pet>> {
  const { terminal, options } = context;
  const isTable = terminal.format === 'table';
  const { names } = known ?? (isTable ? await loadCategoryNames(context) : { names: undefined });
  const rowLayout = { columns: createPetColumns(names), whenEmpty };
  return createWriter(terminal, rowLayout, options);
}
