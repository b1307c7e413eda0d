import {
  type Connection,
  openConnection,
} from '../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../src/service/storage/postgres/connection/parse-database-url.ts';
import { createPetWriter } from '../src/service/storage/postgres/pet-writer.ts';
import type { Addition } from '../src/service/storage/store.ts';

const BATCH = 64;

/** The adapter's statement, and what stands in it for ids from a sequence. */
const sequence: readonly (readonly [counter: string | RegExp, replacement: string])[] = [
  [
    /\(SELECT last_id FROM id_counters[^)]*\)\s*\+ row_number\(\) OVER \([^)]*\)/,
    "nextval('pet_ids')",
  ],
  [/UPDATE id_counters SET.*\s.*EXISTS \(SELECT 1 FROM fresh\)/, 'SELECT 1'],
];

export interface Writing {
  readonly writers: number;
  readonly ids: 'counter' | 'sequence';
  readonly seconds: number;
}

/** Pets per second that so many instances' writers add together, each a batch after the other, each pet with its key. */
export async function measureWriters(url: string, writing: Writing): Promise<number> {
  const config = parseDatabaseUrl(url);
  const connections = Array.from({ length: writing.writers }, () => openConnection(config));
  const writers = connections.map((connection) =>
    createPetWriter(writing.ids === 'counter' ? connection : overSequence(connection)),
  );
  await Promise.all(writers.map((writer) => writer.addPets(createBatch(), new Date())));
  const start = performance.now();
  let added = 0;
  await Promise.all(
    writers.map(async (writer) => {
      while (performance.now() - start < writing.seconds * 1000) {
        const outcomes = await writer.addPets(createBatch(), new Date());
        added += outcomes.length;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(connections.map((connection) => connection.close()));
  return added / seconds;
}

function createBatch(): Addition[] {
  return Array.from({ length: BATCH }, () => ({
    pet: { name: 'Rex', categoryId: 7n, status: 'available' },
    idempotencyKey: crypto.randomUUID(),
  }));
}

function overSequence({
  query,
  queryLocked,
}: Connection): Pick<Connection, 'query' | 'queryLocked'> {
  return {
    query,
    queryLocked: (lock, statement, values) =>
      queryLocked(
        { ...lock, text: 'SELECT 1' },
        { ...statement, text: replaceIds(statement.text) },
        values,
      ),
  };
}

function replaceIds(text: string): string {
  return sequence.reduce((sql, [counter, replacement]) => {
    const replaced = sql.replace(counter, replacement);
    if (replaced === sql) throw new Error(`The adapter's statement has no ${counter} any more.`);
    return replaced;
  }, text);
}
