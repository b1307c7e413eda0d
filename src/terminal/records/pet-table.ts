import type { Pet } from '../../contract/pet.ts';
import type { PetField } from '../../contract/pet-fields.ts';
import { showUnsafe } from '../text/safe-text.ts';
import type { Style } from '../text/style.ts';
import { shorten } from '../text/width.ts';
import { layOutStacked } from './fit-table.ts';
import { type Cell, type Column, GAP, layOutTable, measureColumns } from './table.ts';

const columnOf: Record<PetField, Column> = {
  id: { title: 'ID', align: 'right' },
  name: { title: 'NAME', align: 'left' },
  categoryId: { title: 'CATEGORY', align: 'right' },
  status: { title: 'STATUS', align: 'left' },
};

/** Below this a name says nothing any more. */
const NARROWEST_NAME = 8;

export interface PetTableOptions {
  fields: readonly PetField[];
  style: Style;
  /** The width to fit; undefined where nothing is to be fitted, as in a pipe. */
  columns: number | undefined;
}

/** Pets as lines for people. Only names are ever shortened; where even that does not fit, each pet takes a line per field. */
export function renderPetTable(pets: readonly Pet[], options: PetTableOptions): string {
  const { fields, style, columns } = options;
  const rows = pets.map((pet) => fields.map((field) => toCell(pet, field, style)));
  const titles = fields.map((field) => columnOf[field]);
  const at = fields.indexOf('name');
  const widths = measureColumns(titles, rows);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : findRoom(widths, at, columns);
  if (room < NARROWEST_NAME) return layOutStacked(titles, rows, style.header);
  const fitted = rows.map((row) =>
    row.map((cell, index) => (index === at ? { ...cell, text: shorten(cell.text, room) } : cell)),
  );
  return layOutTable(titles, fitted, style.header);
}

function toCell(pet: Pet, field: PetField, style: Style): Cell {
  if (field === 'name') return { text: showUnsafe(pet.name) };
  if (field !== 'status') return { text: String(pet[field]) };
  const { status } = pet;
  return status === undefined ? { text: '-' } : { text: status, mark: () => style.status(status) };
}

/** How many columns the others leave to the name, which is at this place. */
function findRoom(widths: readonly number[], at: number, columns: number): number {
  const others = widths.reduce((sum, width, index) => (index === at ? sum : sum + width), 0);
  const room = columns - others - GAP * (widths.length - 1);
  return room >= (widths[at] ?? 0) ? Number.POSITIVE_INFINITY : room;
}
