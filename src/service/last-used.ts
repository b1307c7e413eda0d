import type { Int64 } from '../contract/int64.ts';
import type { Store } from './storage/store.ts';

const INTERVAL_MS = 60_000;

export interface LastUsedRecorder {
  /** Remembers a use of a key until it is written. */
  note(keyId: Int64, at: Date): void;
  /** Writes what was noted. What cannot be written is tried again with the next flush. */
  flush(): Promise<void>;
  /** Flushes and stops. */
  close(): Promise<void>;
}

/**
 * Writes the last use of keys once a minute: a write per request would cost a sync per request.
 * @param onFailure told why a flush failed
 */
export function startLastUsedRecorder(
  store: Pick<Store, 'recordKeyUses'>,
  onFailure: (error: unknown) => void,
): LastUsedRecorder {
  let noted = new Map<Int64, Date>();
  const timer = setInterval(flush, INTERVAL_MS).unref();

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await store.recordKeyUses(uses);
    } catch (error) {
      noted = new Map([...uses, ...noted]);
      onFailure(error);
    }
  }

  return {
    note: (keyId, at) => void noted.set(keyId, at),
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}
