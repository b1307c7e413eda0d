import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type * as v from 'valibot';
import { toAddOutcome } from '../add-outcome.ts';
import type { Addition, AddOutcome } from '../store.ts';
import { addNewPets, addPets, NULL_REFUSED, takeTurn } from './add-statements.ts';
import type { Connection } from './connection/open-connection.ts';
import { isConflict, reportMissingCounter } from './connection/store-error.ts';
import { createKeySweep, findExpiry } from './idempotency-keys.ts';

const ATTEMPTS = 5;

/** Adds pets over one connection. */
export function createPetWriter({ query, transact }: Pick<Connection, 'query' | 'transact'>) {
  const sweepIfDue = createKeySweep(query);
  /** Where one key was used before, the next batch may have such a key as well, and failing first would take two turns. */
  let expectsUsedKeys = false;

  async function insert(additions: readonly Addition[], now: Date): Promise<AddOutcome[]> {
    const values = listValues(additions, now);
    const added = expectsUsedKeys ? undefined : await insertNew(additions, values);
    if (added !== undefined) return added;
    const rows = await insertOrLookUp(values);
    const byPosition = new Map(rows.map((row) => [Number(row.position), row]));
    const outcomes = additions.map((addition, index) =>
      toOutcome(addition, byPosition.get(index + 1)),
    );
    expectsUsedKeys = outcomes.some(({ kind }) => kind !== 'added');
    return outcomes;
  }

  /** Undefined, and nothing is stored, when one of the keys was used before. */
  async function insertNew(
    additions: readonly Addition[],
    values: readonly unknown[],
  ): Promise<AddOutcome[] | undefined> {
    try {
      const [row] = await transact(addNewPets, [...values, additions.length]);
      if (row === undefined) throw reportMissingCounter();
      const firstId = row.formerId + 1n;
      return additions.map(({ pet }, index) =>
        toAddOutcome(firstId + BigInt(index), pet, undefined),
      );
    } catch (error) {
      if (isNullRefused(error)) return undefined;
      throw error;
    }
  }

  async function insertOrLookUp(values: readonly unknown[]): Promise<BatchRow[]> {
    try {
      return await transact(addPets, values, takeTurn);
    } catch (error) {
      throw isNullRefused(error) ? reportMissingCounter() : error;
    }
  }

  return {
    /** A batch of no pets. */
    async tryWrite(): Promise<void> {
      await insertNew([], listValues([], new Date()));
    },

    async addPets(additions: readonly Addition[], now: Date): Promise<AddOutcome[]> {
      if (additions.length === 0) return [];
      const outcomes = await retryConflicts(() => insert(additions, now));
      sweepIfDue(now);
      return outcomes;
    },
  };
}

function listValues(additions: readonly Addition[], now: Date) {
  return [
    additions.map(({ pet }) => pet.name),
    additions.map(({ pet }) => pet.categoryId),
    additions.map(({ pet }) => pet.status),
    additions.map(({ idempotencyKey }) => idempotencyKey ?? null),
    now,
    findExpiry(now),
    additions.map(({ keyId }) => keyId ?? null),
  ];
}

function isNullRefused(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === NULL_REFUSED;
}

/** Servers that do not block writers roll one back instead; nothing of it was stored. */
async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (attempt === ATTEMPTS || !isConflict(cause)) throw error;
      await delay(Math.random() * 2 ** attempt);
    }
  }
}

type BatchRow = v.InferOutput<typeof addPets.row>;

function toOutcome({ pet }: Addition, row: BatchRow | undefined): AddOutcome {
  if (row === undefined) throw new Error('an idempotency key refers to a pet that does not exist');
  return toAddOutcome(row.id, pet, row.name === null ? undefined : row);
}
