import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';

const RecentAdd = v.object({
  environment: v.string(),
  name: v.string(),
  categoryId: v.string(),
  /** ISO 8601. */
  at: v.string(),
});

/** What this machine remembers for convenience. Losing it costs nothing but a repeated notice. */
const State = v.object({
  /** The day (UTC) on which a notice was last shown, by the notice's name. */
  notices: v.optional(v.record(v.string(), v.string()), {}),
  /** Newest first. */
  recentAdds: v.optional(v.array(RecentAdd), []),
});
type State = v.InferOutput<typeof State>;

export interface StateFile {
  read(): State;
  update(change: (state: State) => State): void;
}

/** Opens the file in which conveniences are remembered. It never fails: an unreadable or unwritable one is an empty one. */
export function openStateFile(folder: string): StateFile {
  const file = path.join(folder, 'state.json');
  const read = (): State => {
    try {
      return v.parse(State, JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return v.parse(State, {});
    }
  };
  return {
    read,
    update(change) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const draft = `${file}.${process.pid}`;
        writeFileSync(draft, `${JSON.stringify(change(read()), null, 2)}\n`, { mode: 0o600 });
        renameSync(draft, file);
      } catch {
        // A read-only home must not hinder the work itself.
      }
    },
  };
}
