import {
  type Connection,
  openConnection,
} from '../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../src/service/storage/postgres/connection/parse-database-url.ts';
import { createPetWriter } from '../src/service/storage/postgres/pet-writer.ts';
import type { Addition } from '../src/service/storage/store.ts';

const BATCH = 64;

/** What the adapter's statement takes its ids from, and a sequence that counts batches in its place. */
const counter = /UPDATE id_counters .*(?= AS former_id)/;
const sequence = "SELECT nextval('pet_ids') * $8";

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

function overSequence({ query, transact }: Connection): Pick<Connection, 'query' | 'transact'> {
  return {
    query,
    transact: (statement, values) =>
      transact({ ...statement, text: replaceIds(statement.text) }, values),
  };
}

function replaceIds(text: string): string {
  if (!counter.test(text)) throw new Error(`The adapter's statement has no ${counter} any more.`);
  return text.replace(counter, () => sequence);
}
