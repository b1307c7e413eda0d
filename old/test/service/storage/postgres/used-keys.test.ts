import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  addNewPets,
  addPets,
  takeTurn,
} from '../../../../src/service/storage/postgres/add-statements.ts';
import {
  type Connection,
  openConnection,
} from '../../../../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../../../../src/service/storage/postgres/connection/parse-database-url.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { createPetWriter } from '../../../../src/service/storage/postgres/pet-writer.ts';
import type { Addition, AddOutcome } from '../../../../src/service/storage/store.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { waitFor } from '../../../support/wait-for.ts';

const createBatch = (...keys: (string | undefined)[]): Addition[] =>
  keys.map((idempotencyKey) => ({
    pet: { name: `Rex ${idempotencyKey}`, categoryId: 7n, status: 'available' },
    idempotencyKey,
  }));

describe.skipIf(findPostgresObstacle())('a batch with an idempotency key that was used', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await (await openPostgresStore(database.url)).close();
  });
  afterAll(() => database.drop());

  /** A writer of its own, and the names of the statements that it sends in transactions. */
  function openWriter() {
    const { query, transact, close } = openConnection(parseDatabaseUrl(database.url));
    onTestFinished(close);
    const sent: string[] = [];
    const noting: Connection['transact'] = async (statement, ...rest) => {
      sent.push(statement.name);
      return await transact(statement, ...rest);
    };
    return { sent, ...createPetWriter({ query, transact: noting }) };
  }

  it('adds the rest, without a gap, when another instance used it while the batch waited for its turn', async () => {
    const [one, another] = [openWriter(), openWriter()];
    const [before] = await one.addPets(createBatch(undefined), new Date());
    const holder = await connectClient(database.url);
    await holder.query("BEGIN; UPDATE id_counters SET last_id = last_id WHERE name = 'pets'");
    const first = one.addPets(createBatch('raced'), new Date());
    await waitUntilBlocked(1);
    const second = another.addPets(createBatch('new', 'raced', undefined), new Date());
    await waitUntilBlocked(2);
    await holder.query('ROLLBACK');
    const outcomes = [...(await first), ...(await second)];
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds).toEqual(['added', 'added', 'replayed', 'added']);
    const start = readId(before);
    expect(outcomes.map((outcome) => readId(outcome) - start)).toEqual([1n, 2n, 1n, 3n]);
  });

  it('is not tried as new while batches have such keys', async () => {
    const { addPets: add, sent } = openWriter();
    for (const key of ['again', 'again', 'again', 'other', 'last'])
      await add(createBatch(key), new Date());
    const [asNew, lookedUp] = [addNewPets.name, addPets.name];
    expect(sent).toEqual([asNew, asNew, lookedUp, lookedUp, lookedUp, asNew]);
  });

  it('is looked up by the index, whatever the statistics say', async () => {
    const client = await connectClient(database.url);
    await client.query('TRUNCATE idempotency_keys');
    await client.query('VACUUM ANALYZE idempotency_keys');
    const { text } = addPets;
    const values = [['Rex'], ['7'], ['available'], ['looked-up'], new Date(), new Date(), [null]];
    await client.query('BEGIN');
    await client.query(takeTurn.text);
    const { rows } = await client.query({ text: `EXPLAIN ${text}`, values });
    await client.query('ROLLBACK');
    const plan = rows.map((row) => v.parse(PlanLine, row)['QUERY PLAN']).join('\n');
    expect(plan).toContain('idempotency_keys_pkey');
    expect(plan).not.toContain('Seq Scan on idempotency_keys');
  });

  async function waitUntilBlocked(count: number): Promise<void> {
    const client = await connectClient(database.url);
    await waitFor(async () => {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(rowCount).toBe(count);
    });
  }
});

const PlanLine = v.object({ 'QUERY PLAN': v.string() });

function readId(outcome: AddOutcome | undefined): bigint {
  if (outcome === undefined || outcome.kind === 'mismatch') throw new Error('no pet');
  return outcome.pet.id;
}
