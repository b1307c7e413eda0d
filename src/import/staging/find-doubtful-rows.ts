import type { Page, PetstoreClient } from '../../client/client.ts';
import { pageLimits } from '../../contract/operations.ts';
import { DEFAULT_STATUS, type NewPet } from '../../contract/pet.ts';
import type { GoodRow, Row } from '../read/row.ts';
import type { JournalState } from './journal-state.ts';

/** A row that may have been sent, by a key that the service may no longer know, and what the list says about it. */
export interface DoubtfulRow {
  row: GoodRow;
  /** Pets like it that no row of this import is known to have become; the newest few. */
  candidates: readonly bigint[];
  /** Every pet was looked at. */
  isListComplete: boolean;
}

export interface DoubtContext {
  client: Pick<PetstoreClient, 'listPets' | 'listNextPage'>;
  state: JournalState;
  /** The file's rows from the first one, anew at each call. */
  readRows(): AsyncIterable<Row>;
  signal: AbortSignal;
}

/** Pets of one name, category and status: the rows in doubt, how many are known to be added, how many are in the list. */
interface Kind {
  rows: GoodRow[];
  added: number;
  listed: number;
  /** The last few listed, the newest last. */
  ids: bigint[];
}
type Kinds = Map<string, Kind>;

const MAX_CANDIDATES = 5;

/**
 * Looks in the list for rows that must not be sent again blindly. A pet bears no mark of the row it came from, so
 * pets of a kind are counted: either the list holds more of them than this import is known to have added, or not.
 * Memory is bounded by the rows in doubt.
 */
export async function findDoubtfulRows(
  context: DoubtContext,
  numbers: { has(row: number): boolean },
): Promise<DoubtfulRow[]> {
  const kinds = await collectKinds(context, numbers);
  await countAdded(context, kinds);
  const isListComplete = await countListed(context, kinds);
  return [...kinds.values()].flatMap(({ rows, added, listed, ids }) => {
    const surplus = Math.max(0, listed - added);
    const candidates = surplus === 0 ? [] : ids.slice(-surplus);
    return rows.map((row) => ({ row, candidates, isListComplete }));
  });
}

async function collectKinds(
  { readRows, signal }: DoubtContext,
  numbers: { has(row: number): boolean },
): Promise<Kinds> {
  const kinds: Kinds = new Map();
  for await (const row of readRows()) {
    signal.throwIfAborted();
    if (!('pet' in row) || !numbers.has(row.number)) continue;
    const kind = kinds.get(nameKind(row.pet));
    if (kind) kind.rows.push(row);
    else kinds.set(nameKind(row.pet), { rows: [row], added: 0, listed: 0, ids: [] });
  }
  return kinds;
}

async function countAdded({ readRows, state, signal }: DoubtContext, kinds: Kinds): Promise<void> {
  for await (const row of readRows()) {
    signal.throwIfAborted();
    if (!('pet' in row)) continue;
    const isAdded = state.ledger.isSettled(row.number) && !state.others.has(row.number);
    const kind = isAdded ? kinds.get(nameKind(row.pet)) : undefined;
    if (kind) kind.added += 1;
  }
}

/** Returns whether the list was read to an end that is surely its end. */
async function countListed({ client, signal }: DoubtContext, kinds: Kinds): Promise<boolean> {
  let page: Page = await client.listPets({ limit: pageLimits.max });
  for (;;) {
    signal.throwIfAborted();
    for (const pet of page.pets) {
      const kind = kinds.get(nameKind(pet));
      if (kind === undefined) continue;
      kind.listed += 1;
      kind.ids = [...kind.ids, pet.id].slice(-MAX_CANDIDATES);
    }
    if (page.next === undefined) return page.more === 'no';
    page = await client.listNextPage(page.next);
  }
}

/** A pet added without a status is listed with the default one. */
function nameKind({ name, categoryId, status = DEFAULT_STATUS }: NewPet): string {
  return `${categoryId} ${status} ${name}`;
}
