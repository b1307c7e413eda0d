import type { FileHandle } from 'node:fs/promises';
import { UserError } from '../../errors.ts';
import { splitText } from '../read/split-lines.ts';
import { decodeEntry, encodeChecksum } from './journal-lines.ts';
import { applyEntry, createJournalState, type JournalState } from './journal-state.ts';

export interface JournalReading {
  state: JournalState;
  /** Length of the groups that are whole; what follows was never synced and is to be cut off. */
  bytes: number;
}

/**
 * Reads a journal from its beginning. A last group that a crash tore is left out: nothing relied on it yet.
 * @throws UserError `cli_file` when a whole group follows a broken one, which no crash does.
 */
export async function readJournal(handle: FileHandle, file: string): Promise<JournalReading> {
  const state = createJournalState();
  let bytes = 0;
  let isTorn = false;
  let group: string[] = [];
  const pieces = handle.createReadStream({ start: 0, encoding: 'utf8', autoClose: false });
  for await (const { text: line, isWhole } of splitText(pieces)) {
    if (!line.startsWith('C ')) {
      group.push(line);
      continue;
    }
    const text = `${group.join('\n')}\n`;
    if (isWhole && line === encodeChecksum(text)) {
      if (isTorn) throw refuseDamage(file);
      for (const entry of group) applyEntry(state, decodeEntry(entry));
      bytes += Buffer.byteLength(text) + line.length + 1;
    } else isTorn = true;
    group = [];
  }
  return { state, bytes };
}

function refuseDamage(file: string): UserError {
  return new UserError('cli_file', `The journal ${file} is damaged in its middle`, {
    details: ['which rows were sent cannot be told from it'],
    next: ['petstore list --all --csv   (to see what is there)', `rm ${file}`],
  });
}
