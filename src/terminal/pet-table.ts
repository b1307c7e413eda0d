import type { Pet } from '../contract/pet.ts';
import type { PetField } from '../contract/pet-fields.ts';
import { showUnsafe } from './safe-text.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, GAP, layOutTable } from './table.ts';
import { measureWidth, shorten } from './width.ts';

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
  const room =
    columns === undefined ? Number.POSITIVE_INFINITY : findNameRoom(fields, rows, columns);
  if (room < NARROWEST_NAME) return renderStacked(fields, rows, style);
  const at = fields.indexOf('name');
  const fitted = rows.map((row) =>
    row.map((cell, index) => (index === at ? { ...cell, text: shorten(cell.text, room) } : cell)),
  );
  return layOutTable(
    fields.map((field) => columnOf[field]),
    fitted,
    style.header,
  );
}

function toCell(pet: Pet, field: PetField, style: Style): Cell {
  if (field === 'name') return { text: showUnsafe(pet.name) };
  if (field !== 'status') return { text: String(pet[field]) };
  const { status } = pet;
  return status === undefined ? { text: '-' } : { text: status, mark: () => style.status(status) };
}

/** How many columns the others leave to the name. */
function findNameRoom(
  fields: readonly PetField[],
  rows: readonly (readonly Cell[])[],
  columns: number,
): number {
  const widths = fields.map((field, index) =>
    rows.reduce(
      (widest, row) => Math.max(widest, measureWidth(row[index]?.text ?? '')),
      columnOf[field].title.length,
    ),
  );
  const others = widths.reduce(
    (sum, width, index) => (fields[index] === 'name' ? sum : sum + width),
    0,
  );
  const room = columns - others - GAP * (fields.length - 1);
  const natural = widths[fields.indexOf('name')] ?? 0;
  return room >= natural ? Number.POSITIVE_INFINITY : room;
}

function renderStacked(
  fields: readonly PetField[],
  rows: readonly (readonly Cell[])[],
  style: Style,
): string {
  const titles = fields.map((field) => columnOf[field].title);
  const widest = Math.max(...titles.map((title) => title.length));
  return rows
    .map((row) =>
      row
        .map(({ text, mark = (same) => same }, index) => {
          const title = (titles[index] ?? '').padEnd(widest);
          return `${style.header(title)}${' '.repeat(GAP)}${mark(text)}`;
        })
        .join('\n'),
    )
    .join('\n\n');
}
