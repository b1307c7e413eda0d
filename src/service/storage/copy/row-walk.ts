import type { CopyEndpoint, StoredRows } from './copy-endpoint.ts';

/** Rows read and written at once, so that memory does not grow with the store. */
const BATCH_SIZE = 1_000;

export const rowKinds = ['pets', 'idempotencyKeys', 'apiKeys'] as const;
export type RowKind = (typeof rowKinds)[number];

/** Every pet after `after`, a batch at a time. */
export function walkPets(endpoint: CopyEndpoint, after = 0n): AsyncGenerator<StoredRows['pets'][]> {
  return walk(
    after,
    (last) => endpoint.readPets(last, BATCH_SIZE),
    ({ id }) => id,
  );
}

/** Every idempotency key, a batch at a time. */
export function walkIdempotencyKeys(
  endpoint: CopyEndpoint,
): AsyncGenerator<StoredRows['idempotencyKeys'][]> {
  return walk(
    '',
    (last) => endpoint.readIdempotencyKeys(last, BATCH_SIZE),
    ({ key }) => key,
  );
}

/** Every API key, a batch at a time. */
export function walkApiKeys(endpoint: CopyEndpoint): AsyncGenerator<StoredRows['apiKeys'][]> {
  return walk(
    0n,
    (last) => endpoint.readApiKeys(last, BATCH_SIZE),
    ({ id }) => id,
  );
}

/** Every row of any kind, a batch at a time. */
export function walkRows(
  endpoint: CopyEndpoint,
  kind: RowKind,
): AsyncGenerator<StoredRows[RowKind][]> {
  if (kind === 'pets') return walkPets(endpoint);
  return kind === 'apiKeys' ? walkApiKeys(endpoint) : walkIdempotencyKeys(endpoint);
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
