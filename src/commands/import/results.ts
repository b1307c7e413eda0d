import { formatCategory } from '../../config/categories.ts';
import type { NewPet } from '../../contract/pet.ts';
import type { PetRow } from '../../import/row.ts';
import type { RowOutcome } from '../../import/send-rows.ts';
import type { Context } from '../../program/context.ts';
import { type Column, createWriter } from '../../terminal/formats.ts';
import { isUnknown } from './add-row.ts';
import type { Delivery, Progress } from './delivery.ts';

interface Result {
  readonly row: PetRow;
  readonly outcome: RowOutcome | undefined;
}

/** Columns of what holds a pet; a row without one stands for those between. */
export function listPetColumns<Row>(
  petOf: (row: Row) => NewPet | undefined,
  names: ReadonlyMap<bigint, string> = new Map(),
): readonly Column<Row>[] {
  const show = (row: Row, text: unknown) => (petOf(row) === undefined ? '…' : String(text ?? '-'));
  const showCategory = (id: bigint | undefined) =>
    id === undefined ? undefined : formatCategory({ names }, id);
  return [
    {
      ...{ name: 'name', isShortened: true },
      value: (row) => petOf(row)?.name,
      show: (row) => show(row, petOf(row)?.name),
    },
    {
      ...{ name: 'categoryId', title: 'CATEGORY', ...(names.size === 0 && { align: 'right' }) },
      value: (row) => petOf(row)?.categoryId,
      show: (row) => show(row, showCategory(petOf(row)?.categoryId)),
    },
    {
      name: 'status',
      value: (row) => petOf(row)?.status,
      show: (row) => show(row, petOf(row)?.status),
    },
  ];
}

const resultColumns: readonly Column<Result>[] = [
  { name: 'id', value: ({ outcome }) => (outcome?.kind === 'added' ? outcome.pet.id : undefined) },
  { name: 'row', value: ({ row }) => row.number },
  { name: 'line', value: ({ row }) => row.line },
  { name: 'outcome', value: ({ outcome }) => describeOutcome(outcome) },
  ...listPetColumns<Result>(({ row, outcome }) =>
    outcome?.kind === 'added' ? outcome.pet : row.pet,
  ),
  {
    name: 'code',
    value: ({ outcome }) => (outcome?.kind === 'refused' ? outcome.code : undefined),
  },
  {
    name: 'reason',
    value: ({ outcome }) => (outcome && 'reason' in outcome ? outcome.reason : undefined),
  },
];

function describeOutcome(outcome: RowOutcome | undefined): string {
  if (isUnknown(outcome)) return 'unknown';
  if (outcome === undefined || outcome.kind === 'stopped') return 'not_added';
  const isBefore = outcome.kind === 'before' || (outcome.kind === 'added' && outcome.isReplayed);
  return isBefore ? 'added_before' : outcome.kind;
}

/** How many rows are made into text at once. */
const BATCH_ROWS = 1000;

/** Writes a result for every row of the file; a table has none. @throws UserError before anything is sent, for a wrong `--fields`. */
export function createResultWriter({ terminal, options }: Context) {
  const writer = createWriter(terminal, { columns: resultColumns }, options);
  return async ({ rows }: Delivery, { outcomes }: Progress): Promise<void> => {
    if (terminal.format === 'table') return;
    const listResults = function* () {
      for (let at = 0; at < rows.length; at += BATCH_ROWS)
        yield rows
          .slice(at, at + BATCH_ROWS)
          .map((row, index) => ({ row, outcome: outcomes[at + index] }))
          .filter(({ outcome }) => terminal.format !== 'ids' || outcome?.kind === 'added');
    };
    await writer.writeRows(listResults());
  };
}

/** `16 to 18` where ids follow one another, else `between 16 and 940`. */
export function describeIds(outcomes: Progress['outcomes']): string {
  const ids = outcomes.flatMap((outcome) =>
    outcome?.kind === 'added' && !outcome.isReplayed ? [outcome.pet.id] : [],
  );
  const sorted = ids.sort((one, other) => (one < other ? -1 : 1));
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return '';
  if (first === last) return ` as ${first}`;
  const isWhole = last - first === BigInt(sorted.length - 1);
  return isWhole ? ` as ${first} to ${last}` : `, with ids between ${first} and ${last}`;
}
