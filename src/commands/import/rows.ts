import type { NewPet } from '../../contract/pet.ts';
import type { RowOutcome, RowResult } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { type Column, createWriter, type Writer } from '../../terminal/formats.ts';
import { isUnknown } from './totals.ts';

/** Columns of what holds a pet. */
function listPetColumns<Row>(petOf: (row: Row) => NewPet): readonly Column<Row>[] {
  return [
    { name: 'name', value: (row) => petOf(row).name, isShortened: true },
    {
      name: 'categoryId',
      title: 'CATEGORY',
      value: (row) => petOf(row).categoryId,
      align: 'right',
    },
    { name: 'status', value: (row) => petOf(row).status },
  ];
}

export const petColumns = listPetColumns<NewPet>((pet) => pet);

/** Writes rows of a file that are not sent. */
export function createRowWriter({ terminal, options }: Context): Writer<NewPet> {
  return createWriter(terminal, { columns: petColumns }, options);
}

const resultColumns: readonly Column<RowResult>[] = [
  { name: 'id', value: ({ outcome }) => (outcome.kind === 'added' ? outcome.pet.id : undefined) },
  { name: 'line', value: ({ row }) => row.line },
  { name: 'outcome', value: ({ outcome }) => describeOutcome(outcome) },
  ...listPetColumns<RowResult>(({ row, outcome }) => ('pet' in outcome ? outcome.pet : row.pet)),
  {
    name: 'replayed',
    value: ({ outcome }) => (outcome.kind === 'added' && outcome.isReplayed) || undefined,
  },
  { name: 'code', value: ({ outcome }) => (outcome.kind === 'refused' ? outcome.code : undefined) },
  { name: 'reason', value: ({ outcome }) => ('reason' in outcome ? outcome.reason : undefined) },
];

/** Writes what became of rows. */
export function createResultWriter({ terminal, options }: Context): Writer<RowResult> {
  return createWriter(terminal, { columns: resultColumns }, options);
}

function describeOutcome(outcome: RowOutcome): string {
  if (outcome.kind !== 'stopped') return outcome.kind;
  return isUnknown(outcome) ? 'unknown' : 'not_added';
}
