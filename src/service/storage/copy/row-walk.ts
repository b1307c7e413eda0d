import type { CopyEndpoint, StoredRows } from './copy-endpoint.ts';

/** Rows read and written at once: memory stays the same however large the store is. */
const BATCH_SIZE = 1_000;

export const rowKinds = ['pets', 'idempotencyKeys', 'apiKeys'] as const;
export type RowKind = (typeof rowKinds)[number];

/** Every pet behind `after`, a batch at a time. */
export function walkPets(end: CopyEndpoint, after = 0n): AsyncGenerator<StoredRows['pets'][]> {
  return walk(
    after,
    (last) => end.readPets(last, BATCH_SIZE),
    ({ id }) => id,
  );
}

/** Every idempotency key, a batch at a time. */
export function walkIdempotencyKeys(
  end: CopyEndpoint,
): AsyncGenerator<StoredRows['idempotencyKeys'][]> {
  return walk(
    '',
    (last) => end.readIdempotencyKeys(last, BATCH_SIZE),
    ({ key }) => key,
  );
}

/** Every API key, a batch at a time. */
export function walkApiKeys(end: CopyEndpoint): AsyncGenerator<StoredRows['apiKeys'][]> {
  return walk(
    0n,
    (last) => end.readApiKeys(last, BATCH_SIZE),
    ({ id }) => id,
  );
}

/** Every row of any kind, a batch at a time. */
export function walkRows(end: CopyEndpoint, kind: RowKind): AsyncGenerator<StoredRows[RowKind][]> {
  if (kind === 'pets') return walkPets(end);
  return kind === 'apiKeys' ? walkApiKeys(end) : walkIdempotencyKeys(end);
}

async function* walk<Row, Position>(
  start: Position,
  read: (after: Position) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): AsyncGenerator<Row[]> {
  let position = start;
  for (;;) {
    const rows = await read(position);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    position = positionOf(last);
  }
}
