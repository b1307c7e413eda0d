import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../../../src/contract/int64.ts';
import type { CopyEndpoint, Row } from '../../../../src/service/storage/copy/copy-endpoint.ts';
import { copyStore } from '../../../../src/service/storage/copy/copy-store.ts';
import { openCopyEndpoint, openStore } from '../../../../src/service/storage/databases.ts';
import type { Addition, Store } from '../../../../src/service/storage/store.ts';
import { createTestSchema } from '../../../support/postgres.ts';
import { findPostgresObstacle } from '../../../support/postgres-cluster.ts';
import { readStoredPets } from '../../../support/stored-pets.ts';

const now = new Date('2026-11-20T12:34:56.789Z');
const silent = { signal: new AbortController().signal, onProgress: () => {} };

async function makeSqlite(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-copy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${path.join(folder, 'petstore.db')}`;
}

async function makePostgres(): Promise<string> {
  const { url, drop } = await createTestSchema();
  onTestFinished(drop);
  return url;
}

async function withStore<Result>(url: string, work: (store: Store) => Promise<Result>) {
  const store = await openStore(url, { isShared: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withEndpoints<Result>(
  [from, to]: readonly [string, string],
  work: (from: CopyEndpoint, to: CopyEndpoint) => Promise<Result>,
) {
  const source = await openCopyEndpoint(from, 'source');
  const target = await openCopyEndpoint(to, 'target');
  try {
    return await work(source, target);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

const copy = (from: string, to: string, options = silent) =>
  withEndpoints([from, to], (source, target) => copyStore({ from: source, to: target }, options));

/** A thousand and a hundred pets, two of them at the host of int64, keys used, revoked and expiring. */
async function fill(store: Store): Promise<void> {
  const additions: Addition[] = Array.from({ length: 1100 }, (_, index) => ({
    pet: { name: `Pet ${index} 🐕‍🦺 é`, categoryId: BigInt(index), status: 'available' },
    ...(index % 3 === 0 ? { idempotencyKey: `Key-${index}`, keyId: 3n } : {}),
  }));
  additions.push({ pet: { name: '"\\', categoryId: INT64_MAX, status: 'sold' } });
  additions.push({ pet: { name: "'; --", categoryId: INT64_MIN, status: 'pending' } });
  await store.addPets(additions, now);
  for (const byte of [1, 2, 3]) {
    const hash = new Uint8Array(32).fill(byte);
    await store.createKey({
      hash,
      name: `till-${byte}`,
      access: byte === 1 ? 'read' : 'write',
      createdAt: now,
      expiresAt: byte === 2 ? now : undefined,
    });
  }
  await store.recordKeyUses([{ id: 1n, at: now }]);
  await store.revokeKey(3n, now);
}

const databases = [
  ['SQLite', makeSqlite],
  ...(findPostgresObstacle() === undefined ? ([['PostgreSQL', makePostgres]] as const) : []),
] as const;
const pairs = databases.flatMap(([from, makeSource]) =>
  databases.map(([to, makeTarget]) => ({ from, makeSource, to, makeTarget })),
);

async function makePair({ makeSource, makeTarget }: (typeof pairs)[number]) {
  const from = await makeSource();
  await withStore(from, fill);
  return [from, await makeTarget()] as const;
}

describe.each(pairs)('copying from $from to $to', (pair) => {
  it('copies everything, and the copy continues with the ids of the source', async () => {
    const [from, to] = await makePair(pair);
    const { counts, checksums } = await copy(from, to);
    expect(counts).toEqual({ pets: 1102, idempotencyKeys: 367, apiKeys: 3 });
    expect(new Set(Object.values(checksums)).size).toBe(3);
    await withStore(to, async (store) => {
      const keys = await store.listKeys();
      const last = await store.listPets({ after: 1098n, limit: 5 });
      expect(keys).toEqual(await withStore(from, (source) => source.listKeys()));
      expect(last).toEqual(
        await withStore(from, async (source) => await source.listPets({ after: 1098n, limit: 5 })),
      );
      const again = { name: 'Pet 3 🐕‍🦺 é', categoryId: 3n, status: 'available' } as const;
      expect(
        await store.addPets([{ pet: again, idempotencyKey: 'Key-3' }, { pet: again }], now),
      ).toMatchObject([
        { kind: 'replayed', pet: { id: 4n } },
        { kind: 'added', pet: { id: 1103n } },
      ]);
      expect(
        await store.createKey({
          hash: new Uint8Array(32),
          name: 'x',
          createdAt: now,
          expiresAt: undefined,
        }),
      ).toMatchObject({ id: 4n });
    });
  });

  it('continues a copy that was interrupted, at any moment', async () => {
    const [from, to] = await makePair(pair);
    for (const stop of [1, 2, 3, 4, 5]) {
      const controller = new AbortController();
      let steps = 0;
      const onProgress = () => {
        steps += 1;
        if (steps === stop) controller.abort(new Error('stopped'));
      };
      await expect(copy(from, to, { signal: controller.signal, onProgress })).rejects.toThrow(
        'stopped',
      );
    }
    expect((await copy(from, to)).counts.pets).toBe(1102);
  });

  it('has nothing left to do the second time, and takes what the source got since', async () => {
    const [from, to] = await makePair(pair);
    const first = await copy(from, to);
    expect(await copy(from, to)).toEqual(first);
    await withStore(from, async (store) => {
      await store.addPets([{ pet: { name: 'Late', categoryId: 1n, status: 'sold' } }], now);
      await store.revokeKey(1n, now);
    });
    expect((await copy(from, to)).counts).toEqual({ ...first.counts, pets: 1103 });
  });
});

/** Each database once on either side is enough for what the copy refuses. */
const mixed = pairs.filter(({ from, to }) => pairs.length === 1 || from !== to);

describe.each(mixed)('a copy from $from to $to', (pair) => {
  it('changes no store that has anything else', async () => {
    const [from, to] = await makePair(pair);
    await withStore(to, (store) =>
      store.addPets([{ pet: { name: 'Other', categoryId: 1n, status: 'sold' } }], now),
    );
    await expect(copy(from, to)).rejects.toThrow(
      'it is another store: copy into an empty database',
    );
    await withStore(to, async (store) =>
      expect(readStoredPets(await store.listPets({ after: 0n, limit: 9 }))).toHaveLength(1),
    );
  });

  it('treats a target that has an API key of its own as another store', async () => {
    const [from, to] = await makePair(pair);
    await withStore(to, (store) =>
      store.createKey({
        hash: new Uint8Array(32),
        name: 'own',
        createdAt: now,
        expiresAt: undefined,
      }),
    );
    await expect(copy(from, to)).rejects.toThrow('it is another store');
  });

  it.each([
    ['a pet', 'pets', { id: 1n, name: 'Intruder', category_id: 1n, status: 'sold' }],
    [
      'an API key',
      'apiKeys',
      {
        ...{ id: 1n, hash: new Uint8Array(32), name: 'intruder', access: 'write', created_at: 0n },
        ...{ last_used_at: null, expires_at: null, revoked_at: null },
      },
    ],
  ] as const)('stops when something else writes %s to the target', async (_, table, row) => {
    const [from, to] = await makePair(pair);
    const failure = withEndpoints([from, to], (source, target) => {
      const readRows: CopyEndpoint['readRows'] = async (kind, after, limit) => {
        if (kind === table && after === 0n) await target.appendRows(table, [row], 0n);
        return await source.readRows(kind, after, limit);
      };
      return copyStore({ from: { ...source, readRows }, to: target }, silent);
    });
    await expect(failure).rejects.toThrow('something else is writing to the target');
  });

  it.each([
    ['a pet', 'pets', (row: Row) => (row.id === 7n ? [{ ...row, name: 'x' }] : [row])],
    ['an idempotency key', 'idempotencyKeys', (row: Row) => (row.key === 'Key-3' ? [] : [row])],
    ['an API key', 'apiKeys', (row: Row) => [{ ...row, expires_at: null }]],
  ] as const)('notices %s that reads differently in the copy', async (_, changedKind, change) => {
    const [from, to] = await makePair(pair);
    await copy(from, to);
    const failure = withEndpoints([from, to], (source, target) => {
      const readRows: CopyEndpoint['readRows'] = async (kind, ...query) => {
        const rows = await target.readRows(kind, ...query);
        return kind === changedKind ? rows.flatMap(change) : rows;
      };
      return copyStore({ from: source, to: { ...target, readRows } }, silent);
    });
    await expect(failure).rejects.toThrow(/differ in their|it is another store/);
  });
});

it('refuses a source that is not there, and a service that is running on SQLite', async () => {
  const url = await makeSqlite();
  await expect(openCopyEndpoint(url, 'source')).rejects.toThrow(
    `there is no database at ${url.slice('sqlite:'.length)}`,
  );
  const service = await openStore(url);
  onTestFinished(service.close);
  await expect(openCopyEndpoint(url, 'source')).rejects.toThrow('stop it first');
});

it('leaves a copied SQLite database whole in its file alone, without its log', async () => {
  const [from, to] = [await makeSqlite(), await makeSqlite()];
  await withStore(from, fill);
  await copy(from, to);
  const log = `${to.slice('sqlite:'.length)}-wal`;
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
});
