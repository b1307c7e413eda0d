import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { messageOf, UserError } from '../errors.ts';
import type { PetRow } from './row.ts';

/** Takes the rows that the service refused, as a file to correct and import. */
export interface RejectsFile {
  add(row: PetRow, reason: string): void;
  close(): void;
}

const start = '\uFEFFname,category,status,reason\r\n';

/**
 * Starts the file anew: rows of an earlier run may have been added since.
 * @param writtenUntil when the same import last wrote it; undefined when it never did.
 * @throws UserError `cli_file` when it cannot be written, or holds what somebody may still need.
 */
export function openRejectsFile(file: string, writtenUntil: Date | undefined): RejectsFile {
  const run = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
    }
  };
  const found = run(() => statSync(file, { throwIfNoEntry: false }));
  const isOurs = writtenUntil !== undefined && found !== undefined && found.mtime <= writtenUntil;
  if (found?.isFile() && found.size > start.length + MARK_BYTES && !isOurs) {
    throw new UserError('cli_file', `${file} is there already, and nothing is written over it.`, {
      details: ['import it first if it holds corrected rows, or name another file'],
    });
  }
  const handle = run(() => openSync(file, 'w'));
  // Without its mark Excel takes UTF-8 for Windows-1252.
  run(() => writeSync(handle, start));
  return {
    add: ({ pet }, reason) => {
      const cells = [pet.name, String(pet.categoryId), pet.status ?? '', reason];
      run(() => writeSync(handle, `${cells.map(quote).join(',')}\r\n`));
    },
    close: () => closeSync(handle),
  };
}

/** What the mark takes in UTF-8 beyond its one character. */
const MARK_BYTES = 2;

/** RFC 4180; remote text loses what cannot be seen. */
function quote(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return /[",;\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
