import type { Int64 } from '../../contract/int64.ts';
import type { Log } from '../monitoring/log.ts';
import type { KeyStore } from '../storage/store.ts';

/** Holds when each key was last used in memory until `flush`: a write per request would cost a sync per request. */
export function createLastUsedRecorder(store: Pick<KeyStore, 'recordKeyUses'>, log: Log) {
  const noted = new Map<Int64, Date>();
  let latest: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const uses = [...noted].map(([id, at]) => ({ id, at }));
    if (uses.length === 0) return;
    try {
      await store.recordKeyUses(uses);
      for (const { id, at } of uses) if (noted.get(id) === at) noted.delete(id);
    } catch (error) {
      log.warn?.('the last uses of keys could not be written', { reason: String(error) });
    }
  }

  return {
    note: (id: Int64, at: Date): void => void noted.set(id, at),

    /**
     * Writes what was noted until now, after an earlier flush that still runs. A failure is logged and the next flush
     * retries it.
     */
    flush(): Promise<void> {
      latest = latest.then(write);
      return latest;
    },
  };
}
