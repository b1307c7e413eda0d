import type { Int64 } from '../../contract/int64.ts';
import type { Log } from '../monitoring/log.ts';
import type { KeyStore } from '../storage/store.ts';

/** Holds when each key was last used in memory until `flush`: a write per request would cost a sync per request. */
export function createLastUsedRecorder(store: Pick<KeyStore, 'recordKeyUses'>, log: Log) {
  const noted = new Map<Int64, Date>();
  return {
    note: (id: Int64, at: Date): void => void noted.set(id, at),

    /** Writes what was noted. A failure is logged and the next flush retries it. */
    async flush(): Promise<void> {
      const uses = [...noted].map(([id, at]) => ({ id, at }));
      if (uses.length === 0) return;
      noted.clear();
      try {
        await store.recordKeyUses(uses);
      } catch (error) {
        for (const { id, at } of uses) if (!noted.has(id)) noted.set(id, at);
        log.warn?.('the last uses of keys could not be written', { reason: String(error) });
      }
    },
  };
}
