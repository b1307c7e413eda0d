import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { encodeGroup } from './journal-lines.ts';

/** Appends lines so that many share one sync. */
export interface GroupWriter {
  /** Resolves when the line is on disk. After a failure every further line is refused with the same error. */
  append(line: string): Promise<void>;
  /** Resolves when everything appended before is on disk. */
  flush(): Promise<void>;
}

/** From one sync to the next: so many rows share one, and the service, often on the same disk, is left to its own. */
const SPACING_MS = 20;

/** @param start where in the file to go on, in bytes. */
export function createGroupWriter(handle: FileHandle, start: number): GroupWriter {
  let position = start;
  let group: string[] = [];
  /** The group being filled, on disk when this resolves. */
  let pending: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let syncedAt = Number.NEGATIVE_INFINITY;

  async function writeGroup(before: Promise<void>): Promise<void> {
    await before;
    const early = syncedAt + SPACING_MS - performance.now();
    if (early > 0) await wait(early);
    const text = Buffer.from(encodeGroup(group));
    group = [];
    pending = undefined;
    await handle.write(text, 0, text.length, position);
    await handle.datasync();
    syncedAt = performance.now();
    position += text.length;
  }

  return {
    append(line) {
      group.push(line);
      if (pending === undefined) {
        pending = writeGroup(last);
        last = pending;
      }
      return pending;
    },
    flush: () => last,
  };
}
