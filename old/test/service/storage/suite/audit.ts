import { describe, expect, it } from 'vitest';
import type { AuditQuery } from '../../../../src/service/storage/store.ts';
import { add, later, nemo, now, type OpenedStore, rex } from './opened-store.ts';

/** How every store remembers who added each pet. */
export function describeAudit(opened: OpenedStore): void {
  describe('the audit', () => {
    const read = (query: Partial<AuditQuery> = {}) =>
      opened.store.readAudit({ after: 0n, limit: 100, ...query });

    it('has key and time of every pet, those of the first add under an idempotency key', async () => {
      await opened.store.addPets([{ ...add(rex, 'key'), keyId: 7n }, add(nemo)], now);
      await opened.store.addPets([{ ...add(rex, 'key'), keyId: 8n }], later(1));
      expect(await read()).toEqual([
        { id: 1n, ...rex, keyId: 7n, addedAt: now },
        { id: 2n, ...nemo, keyId: undefined, addedAt: now },
      ]);
    });

    it('is read by key, by time and page by page', async () => {
      for (const [index, keyId] of [7n, 8n, 7n, 9n].entries())
        await opened.store.addPets([{ ...add(rex), keyId }], later(index));
      const ids = async (query: Partial<AuditQuery>) => (await read(query)).map(({ id }) => id);
      expect(await ids({ keyIds: [7n] })).toEqual([1n, 3n]);
      expect(await ids({ keyIds: [8n, 9n] })).toEqual([2n, 4n]);
      expect(await ids({ keyIds: [] })).toEqual([]);
      expect(await ids({ since: later(1) })).toEqual([2n, 3n, 4n]);
      expect(await ids({ keyIds: [7n], since: later(1) })).toEqual([3n]);
      expect(await ids({ after: 1n, limit: 2 })).toEqual([2n, 3n]);
      expect(await ids({ after: 1n, limit: 1, keyIds: [7n] })).toEqual([3n]);
    });
  });
}
