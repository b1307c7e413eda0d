import path from 'node:path';
import * as v from 'valibot';
import { readOwnFile } from '../../files/read-own-file.ts';
import { writeFileAtomically } from '../../files/write-file-atomically.ts';

/** What this machine remembers for convenience. Losing it costs nothing but a repeated notice. */
const State = v.object({
  /** The day (UTC) on which a notice was last shown, or what it said, by the notice's name. */
  notices: v.optional(v.record(v.string(), v.string()), {}),
  /** Base URLs of services that promised to honor idempotency keys. */
  idempotentServices: v.optional(v.array(v.string()), []),
});
type State = v.InferOutput<typeof State>;

export interface StateFile {
  read(): State;
  update(change: (state: State) => State): void;
}

/** The file that remembers conveniences. It never fails: one that cannot be read or written counts as empty. */
export function openStateFile(folder: string): StateFile {
  const file = path.join(folder, 'state.json');
  const read = (): State => {
    try {
      return v.parse(State, JSON.parse(readOwnFile(file)));
    } catch {
      return v.parse(State, {});
    }
  };
  return {
    read,
    update(change) {
      try {
        const text = `${JSON.stringify(change(read()), null, 2)}\n`;
        // Not durable: losing it costs nothing, and nobody should wait for the disk.
        writeFileAtomically(file, text, { isDurable: false });
      } catch {
        // A read-only home must not stop the work itself.
      }
    },
  };
}
