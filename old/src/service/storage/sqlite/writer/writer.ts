import { randomUUID } from 'node:crypto';
import type { Int64 } from '../../../../contract/int64.ts';
import { transact } from '../../../../files/transact.ts';
import type { EarlierPet } from '../../add-outcome.ts';
import type { Addition } from '../../store.ts';
import { createApiKeyWriter } from '../api-keys.ts';
import type { Connection } from '../connection/open-connection.ts';
import { type AdditionRow, type StoredBatch, toAddition } from './batch-rows.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';

/** Enough for any batch of adds in all but the largest stores: what fits shows that adds do. */
const TRIAL_BYTES = 256 * 1024;

/** Added and taken back. */
const TRIAL_PET = { name: 'trial', categoryId: 0n, status: 'available' } as const;

export type Writer = ReturnType<typeof createWriter>;

/** Everything that changes the database, over one connection, which it closes. */
export function createWriter(database: Connection) {
  const insertPet = database.prepare(
    'INSERT INTO pets (name, category_id, status, added_by, added_at) VALUES (?, ?, ?, ?, ?)',
  );
  const { findPet, insertKey, sweepIfDue, trySweep } = createIdempotencyKeys(database);
  const readNothing = database.prepare('SELECT 1 FROM pets WHERE id = 0');
  // Random, so that a file system that compresses must find room for it, too.
  const fill = database.prepare(
    `INSERT OR REPLACE INTO write_trial (id, filler) VALUES (1, randomblob(${TRIAL_BYTES}))`,
  );

  function insert({ pet, idempotencyKey, keyId }: Addition, now: number): Int64 {
    const { name, categoryId, status } = pet;
    const added = insertPet.run(name, categoryId, status, keyId ?? null, now);
    const id = BigInt(added.lastInsertRowid);
    if (idempotencyKey !== undefined) insertKey(idempotencyKey, id, now);
    return id;
  }

  return {
    ...createApiKeyWriter(database),

    addPets(rows: readonly AdditionRow[], at: Date): StoredBatch {
      const now = at.getTime();
      return transact(database, () => {
        sweepIfDue(now);
        const ids = new BigInt64Array(rows.length);
        const earlier = new Map<number, EarlierPet>();
        for (const [index, row] of rows.entries()) {
          const addition = toAddition(row);
          const key = addition.idempotencyKey;
          const former = key === undefined ? undefined : findPet(key, now);
          if (former !== undefined) earlier.set(index, former);
          ids[index] = former?.id ?? insert(addition, now);
        }
        return { ids, earlier };
      });
    },

    /** Notes in the files that the newest commit is read, before a disk hangs: a reader that has to would hang, too. */
    noteRead: (): void => void readNothing.get(),

    tryWrite(): void {
      transact(database, () => {
        database.exec('SAVEPOINT trial');
        trySweep();
        const idempotencyKey = randomUUID();
        findPet(idempotencyKey, 0);
        insert({ pet: TRIAL_PET, idempotencyKey }, 0);
        database.exec('ROLLBACK TO trial');
        fill.run();
      });
    },

    close: () => database.close(),
  };
}
