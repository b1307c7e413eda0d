import type { Int64 } from '../../contract/int64.ts';
import type { Log } from '../monitoring/log.ts';
import type { KeyStore } from '../storage/store.ts';

export interface LastUsedRecorder {
  /** Notes that a key was used, in memory. `at` in milliseconds since the epoch. */
  note(id: Int64, at: number): void;
  /** Writes what was noted. A failure is logged and the next flush retries it. */
  flush(): Promise<void>;
}

/** Holds when each key was last used in memory until `flush`: a write per request would cost a sync per request. */
export function createLastUsedRecorder(
  store: Pick<KeyStore, 'recordKeyUses'>,
  log: Log,
): LastUsedRecorder {
  const noted = new Map<Int64, number>();
  return {
    note: (id, at) => void noted.set(id, at),

    async flush() {
      const uses = [...noted];
      if (uses.length === 0) return;
      noted.clear();
      try {
        await store.recordKeyUses(uses.map(([id, at]) => ({ id, at: new Date(at) })));
      } catch (error) {
        for (const [id, at] of uses) if (!noted.has(id)) noted.set(id, at);
        log.warn?.('the last uses of keys could not be written', { reason: String(error) });
      }
    },
  };
}
