import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isApiKey } from '../../src/contract/api-key.ts';
import { createKey, findKey, findKeyState, hashApiKey } from '../../src/service/api-keys.ts';
import { startLastUsedRecorder } from '../../src/service/last-used.ts';
import { parseDatabaseUrl } from '../../src/service/storage/database-url.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import { seedStore } from '../../src/service/storage/seed.ts';
import { type Store, StoreError } from '../../src/service/storage/store.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const now = new Date('2026-11-25T10:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);

async function open(): Promise<Store> {
  const file = path.join(await createTemporaryFolder(), 'petstore.db');
  const store = await openStore(parseDatabaseUrl(file), { isExclusive: true });
  onTestFinished(() => store.close());
  return store;
}

const details = (name: string, expiresAt?: Date) => ({
  name,
  access: 'write' as const,
  createdAt: now,
  expiresAt,
});

/** Creates a key and returns its text. */
async function create(store: Store, name: string, expiresAt?: Date): Promise<string> {
  let printed = '';
  await createKey(store, details(name, expiresAt), async (key) => {
    printed = key;
  });
  return printed;
}

describe('creating a key', () => {
  it('prints its text, of which only the hash is stored', async () => {
    const store = await open();
    const key = await create(store, 'till-3');
    expect(isApiKey(key)).toBe(true);
    expect(await store.findKey(hashApiKey(key))).toMatchObject({ id: 1n, name: 'till-3' });
  });

  it('creates nothing when its text cannot be printed', async () => {
    const store = await open();
    const fail = () => Promise.reject(new Error('EPIPE'));
    await expect(createKey(store, details('till-3'), fail)).rejects.toThrow('EPIPE');
    expect(await store.listKeys()).toEqual([]);
  });

  it('has not stored the key while its text is being printed', async () => {
    const store = await open();
    let found: unknown = 'not looked';
    await createKey(store, details('till-3'), async (key) => {
      found = await store.findKey(hashApiKey(key));
    });
    expect(found).toBeUndefined();
  });

  it.each([
    ['is not valid', new StoreError('the disk is full'), 'not_applied'],
    ['may not be valid', new StoreError('lost', { isOutcomeUnknown: true }), 'unknown'],
  ])('says that the printed key %s when it cannot be stored', async (words, cause, outcome) => {
    const store = await open();
    const failing = { listKeys: store.listKeys, createKey: () => Promise.reject(cause) };
    const created = createKey(failing, details('till-3'), async () => {});
    await expect(created).rejects.toMatchObject({
      message: expect.stringContaining(words),
      outcome,
    });
  });

  it.each(['', ' ', '17', 'a\nb', 'a‮b', 'J\ufffdrgen', 'x'.repeat(101)])(
    'refuses the name %o before anything is printed',
    async (name) => {
      const store = await open();
      let isPrinted = false;
      const print = async () => {
        isPrinted = true;
      };
      await expect(createKey(store, details(name), print)).rejects.toThrow('cannot be the name');
      expect(isPrinted).toBe(false);
    },
  );

  it('refuses the name of an active key', async () => {
    const store = await open();
    await create(store, 'till-3');
    await expect(create(store, 'till-3')).rejects.toThrow('There is a key till-3 already');
  });

  it('takes the name of a key that was revoked, or has expired', async () => {
    const store = await open();
    await create(store, 'till-3');
    await store.revokeKey(1n, now);
    await create(store, 'till-3', now);
    await create(store, 'till-3');
    expect(await store.listKeys()).toHaveLength(3);
  });
});

describe('finding a key', () => {
  it.each([
    ['2', 2n],
    ['till-1', 3n],
    ['till-2', 2n],
    ['till-4', 5n],
  ])('%s is key %i', async (text, id) => {
    const store = await open();
    await create(store, 'till-1', now);
    await create(store, 'till-2');
    await create(store, 'till-1');
    // Two that ended: the latest is meant.
    await create(store, 'till-4', now);
    await create(store, 'till-4', now);
    expect((await findKey(store, text, now)).id).toBe(id);
  });

  it('says that there is none', async () => {
    await expect(findKey(await open(), 'till-3', now)).rejects.toThrow('There is no key "till-3".');
  });
});

it.each([
  [{ expiresAt: later(1) }, 'active'],
  [{ expiresAt: now }, 'expired'],
  [{ expiresAt: now, revokedAt: now }, 'revoked'],
])('a key with %o is %s', async (times, state) => {
  const store = await open();
  await create(store, 'till-3');
  const [key] = await store.listKeys();
  expect(key && findKeyState({ ...key, ...times }, now)).toBe(state);
});

describe('the last use of keys', () => {
  it('is written when flushed, and when the service closes', async () => {
    const store = await open();
    await create(store, 'till-3');
    const recorder = startLastUsedRecorder(store, () => {});
    recorder.note(1n, now);
    expect(await store.listKeys()).toMatchObject([{ lastUsedAt: undefined }]);
    await recorder.flush();
    expect(await store.listKeys()).toMatchObject([{ lastUsedAt: now }]);
    recorder.note(1n, later(1));
    await recorder.close();
    expect(await store.listKeys()).toMatchObject([{ lastUsedAt: later(1) }]);
  });

  it('is written with the next flush when one fails, and a later use is not lost', async () => {
    const store = await open();
    await create(store, 'till-3');
    await create(store, 'till-4');
    const failures: unknown[] = [];
    let isDown = true;
    const recordKeyUses: Store['recordKeyUses'] = (uses) =>
      isDown ? Promise.reject(new StoreError('down')) : store.recordKeyUses(uses);
    const recorder = startLastUsedRecorder({ recordKeyUses }, (error) => failures.push(error));
    recorder.note(1n, now);
    recorder.note(2n, now);
    const failing = recorder.flush();
    recorder.note(1n, later(1));
    await failing;
    isDown = false;
    await recorder.close();
    expect(failures).toHaveLength(1);
    expect(await store.listKeys()).toMatchObject([{ lastUsedAt: later(1) }, { lastUsedAt: now }]);
  });
});

describe('seed', () => {
  it('adds sample pets by a key that expires after a day', async () => {
    const store = await open();
    let key = '';
    await seedStore(store, now, async (text) => {
      key = text;
    });
    expect(await store.findKey(hashApiKey(key))).toMatchObject({ expiresAt: later(86_400_000) });
    expect(await store.readAudit({ limit: 100 })).toHaveLength(48);
  });

  it('is refused where there are pets', async () => {
    const store = await open();
    await seedStore(store, now, async () => {});
    await expect(seedStore(store, later(1), async () => {})).rejects.toThrow('--seed');
  });
});
