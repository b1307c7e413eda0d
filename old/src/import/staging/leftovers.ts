import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseLockedError } from '../../files/open-local-database.ts';
import { discardFile } from '../../files/retry-while-open.ts';
import { openStagingDatabase } from './staging.ts';

/** Each look at one takes time in which no other import can begin; what is left over is removed by the next runs. */
const MOST_LEFTOVERS = 4;

/** Removes what processes left behind when they died, the oldest first; one that is alive holds its lock. */
export function removeLeftovers(folder: string, needed: readonly string[]): void {
  for (const file of listStaged(folder, needed).slice(0, MOST_LEFTOVERS)) {
    try {
      openStagingDatabase(file).close();
    } catch (error) {
      if (error instanceof DatabaseLockedError) continue;
    }
    discardFile(file);
    discardFile(`${file}-journal`);
  }
}

/** Drafts and staged rows that no record needs, the oldest first. */
function listStaged(folder: string, needed: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(draft|staging)$/.test(entry.name))
    .map(({ name }) => path.join(folder, name))
    .filter((file) => !needed.includes(file))
    .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => one.at - other.at)
    .map(({ file }) => file);
}
