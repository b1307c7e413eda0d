import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INT64_MIN } from '../../../src/contract/int64.ts';
import { copyStore } from '../../../src/service/storage/copy-store.ts';
import { type Database, parseDatabaseUrl } from '../../../src/service/storage/database-url.ts';
import { openStore } from '../../../src/service/storage/open-store.ts';
import type { Store } from '../../../src/service/storage/store.ts';
import { execute, usePostgres } from '../../support/postgres-database.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const { createDatabase } = usePostgres();
const now = new Date('2026-11-25T10:00:00.123Z');
const PETS = 2_500;

const makeSource = async () =>
  parseDatabaseUrl(path.join(await createTemporaryFolder(), 'petstore.db'));
const makeTarget = async () => parseDatabaseUrl(await createDatabase());

async function withStore<Result>(
  database: Database,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(database, { isExclusive: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function fill(store: Store): Promise<void> {
  await createKeys(store);
  await addPets(store);
}

async function createKeys(store: Store): Promise<void> {
  for (const [name, expiresAt] of [['till-1', undefined] as const, ['till-2', now] as const]) {
    const key = { hash: randomBytes(32), name, access: 'read', createdAt: now, expiresAt } as const;
    const id = (await store.createKey(key))?.id ?? 0n;
    await store.recordKeyUses(new Map([[id, now]]));
  }
  await store.revokeKey(1n, now);
}

async function addPets(store: Store): Promise<void> {
  const additions = Array.from({ length: PETS }, (_, index) => ({
    pet: { name: `Pet "${index}" 🐕`, categoryId: INT64_MIN, status: 'sold' as const },
    idempotencyKey: index % 2 === 0 ? `key-${index}` : undefined,
    keyId: 2n,
  }));
  await store.addPets(additions, now);
}

/** Everything in a store that its port shows. */
const readAll = async (store: Store) => ({
  keys: await store.listKeys(),
  pets: await store.readAudit({ limit: 2 * PETS }),
});

const quiet = { signal: new AbortController().signal, onProgress: () => {} };

describe('a copy', () => {
  it('has every pet and key of its source', async () => {
    const [source, target] = [await makeSource(), await makeTarget()];
    const before = await withStore(source, async (store) => {
      await fill(store);
      return await readAll(store);
    });
    expect(await copyStore(source, target, quiet)).toEqual({
      pets: BigInt(PETS),
      idempotency_keys: BigInt(PETS / 2),
      api_keys: 2n,
      last_pet: BigInt(PETS),
    });
    expect(await withStore(target, readAll)).toEqual(before);
    // It can be served again.
    expect(await withStore(source, readAll)).toEqual(before);
  });

  it('replays what was added to its source, and goes on with the next id', async () => {
    const [source, target] = [await makeSource(), await makeTarget()];
    await withStore(source, fill);
    await copyStore(source, target, quiet);
    const pet = { name: 'Pet "0" 🐕', categoryId: INT64_MIN, status: 'sold' } as const;
    const outcomes = await withStore(target, (store) =>
      store.addPets(
        [
          { pet, keyId: 2n, idempotencyKey: 'key-0' },
          { pet, keyId: 2n },
        ],
        now,
      ),
    );
    expect(outcomes).toMatchObject([
      { kind: 'replayed', id: 1n },
      { kind: 'added', id: BigInt(PETS + 1) },
    ]);
  });

  it.each<[string, (store: Store) => Promise<void>]>([
    ['pets', addPets],
    ['API keys', createKeys],
  ])('is refused where the target has %s', async (_, addTo) => {
    const [source, target] = [await makeSource(), await makeTarget()];
    await withStore(source, fill);
    await withStore(target, addTo);
    const before = await withStore(target, readAll);
    await expect(copyStore(source, target, quiet)).rejects.toThrow('is not empty');
    expect(await withStore(target, readAll)).toEqual(before);
  });

  it('is refused where the source is in use', async () => {
    const [source, target] = [await makeSource(), await makeTarget()];
    await withStore(source, () =>
      expect(copyStore(source, target, quiet)).rejects.toThrow('Another petstore serve is using'),
    );
  });

  it('is refused where there is no source', async () => {
    const [source, target] = [await makeSource(), await makeTarget()];
    await expect(copyStore(source, target, quiet)).rejects.toThrow('There is no pet store in');
  });

  it('is refused in another direction', async () => {
    const [source, target] = [await makeSource(), await makeTarget()];
    await expect(copyStore(target, source, quiet)).rejects.toThrow('goes from sqlite:<path> to');
  });

  it('is refused at its end where a row did not arrive', async () => {
    const [source, url] = [await makeSource(), await createDatabase()];
    const target = parseDatabaseUrl(url);
    await withStore(source, fill);
    await withStore(target, async () => {});
    await execute(
      url,
      `CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER skip BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.id = 7) EXECUTE FUNCTION skip()`,
    );
    await expect(copyStore(source, target, quiet)).rejects.toThrow('differs from its source');
  });

  it('stops between two batches when it is told to, with no key for what is not complete', async () => {
    const [source, target] = [await makeSource(), await makeTarget()];
    await withStore(source, fill);
    const stopping = new AbortController();
    const onProgress = () => stopping.abort();
    await expect(
      copyStore(source, target, { signal: stopping.signal, onProgress }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    await withStore(target, async (store) => {
      expect(await store.findPet(1n)).toBeDefined();
      expect(await store.listKeys()).toEqual([]);
    });
  });
});
