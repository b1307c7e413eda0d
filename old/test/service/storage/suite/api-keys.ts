import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, later, now, type OpenedStore } from './opened-store.ts';

/** How every store keeps API keys. */
export function describeApiKeys(opened: OpenedStore): void {
  describe('API keys', () => {
    const hash = (byte: number) => new Uint8Array(32).fill(byte);
    const newKey = (byte: number, expiresAt?: Date) => ({
      hash: hash(byte),
      name: `key ${byte}`,
      createdAt: now,
      expiresAt,
    });

    it('are found by their hash and by nothing else', async () => {
      const created = await opened.store.createKey(newKey(1, later(DAY_MS)));
      expect(created).toEqual({
        id: created.id,
        name: 'key 1',
        access: 'write',
        createdAt: now,
        expiresAt: later(DAY_MS),
        lastUsedAt: undefined,
        revokedAt: undefined,
      });
      expect(await opened.store.findKey(hash(1))).toEqual(created);
      expect(await opened.store.findKey(hash(2))).toBeUndefined();
    });

    it('are listed in the order they were created', async () => {
      expect(await opened.store.listKeys()).toEqual([]);
      const first = await opened.store.createKey(newKey(1));
      const second = await opened.store.createKey(newKey(2));
      expect(await opened.store.listKeys()).toEqual([first, second]);
    });

    it('are revoked once: the first time stays', async () => {
      const { id } = await opened.store.createKey(newKey(1));
      expect(await opened.store.revokeKey(id, now)).toMatchObject({ id, revokedAt: now });
      expect(await opened.store.revokeKey(id, later(1))).toMatchObject({ id, revokedAt: now });
      expect(await opened.store.findKey(hash(1))).toMatchObject({ revokedAt: now });
      expect(await opened.store.revokeKey(id + 1n, now)).toBeUndefined();
    });

    it('may write unless they are made for reading only', async () => {
      expect(await opened.store.createKey(newKey(1))).toMatchObject({ access: 'write' });
      expect(await opened.store.createKey({ ...newKey(2), access: 'read' })).toMatchObject({
        access: 'read',
      });
      expect(await opened.store.findKey(hash(2))).toMatchObject({ access: 'read' });
    });

    const rotation = (id: bigint, endsAt: Date) => ({
      ...{ id, endsAt },
      successor: {
        ...newKey(9, later(5 * DAY_MS)),
        access: 'read' as const,
        createdAt: later(1),
      },
    });

    it('get a successor and end, but never later than they would have', async () => {
      const [endless, ending] = [
        await opened.store.createKey({ ...newKey(1), access: 'read' }),
        await opened.store.createKey(newKey(2, later(DAY_MS))),
      ];
      const successor = await opened.store.rotateKey(rotation(endless.id, later(2 * DAY_MS)));
      expect(successor).toEqual({
        ...{ id: 3n, name: 'key 9', access: 'read', createdAt: later(1) },
        ...{ lastUsedAt: undefined, expiresAt: later(5 * DAY_MS), revokedAt: undefined },
      });
      const another = { ...rotation(ending.id, later(2 * DAY_MS)), successor: newKey(8) };
      await opened.store.rotateKey(another);
      expect(await opened.store.listKeys()).toMatchObject([
        { id: 1n, access: 'read', expiresAt: later(2 * DAY_MS) },
        { id: 2n, expiresAt: later(DAY_MS) },
        { id: 3n },
        { id: 4n },
      ]);
    });

    it('get no successor once they have ended or were revoked', async () => {
      const ended = await opened.store.createKey(newKey(1, now));
      const revoked = await opened.store.createKey(newKey(2));
      await opened.store.revokeKey(revoked.id, now);
      for (const id of [ended.id, revoked.id, 77n])
        expect(await opened.store.rotateKey(rotation(id, later(DAY_MS)))).toBeUndefined();
      expect(await opened.store.listKeys()).toHaveLength(2);
    });

    it('remember their last use, which never moves back', async () => {
      const { id } = await opened.store.createKey(newKey(1));
      await opened.store.recordKeyUses([{ id, at: later(2) }]);
      await opened.store.recordKeyUses([
        { id, at: later(1) },
        { id: id + 1n, at: later(3) },
      ]);
      expect(await opened.store.findKey(hash(1))).toMatchObject({ lastUsedAt: later(2) });
    });

    it('are seen at once by a service when a command that shares its database creates or revokes them', async () => {
      const shared = await opened.database.openShared();
      onTestFinished(() => shared.close());
      const readPage = () => opened.store.listPets({ after: 0n, limit: 1, status: undefined });
      await readPage();
      const { id } = await shared.createKey(newKey(1));
      expect(await opened.store.findKey(hash(1))).toMatchObject({ id });
      await readPage();
      await shared.revokeKey(id, now);
      expect(await opened.store.findKey(hash(1))).toMatchObject({ id, revokedAt: now });
    });
  });
}
