import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import type { PetRow } from './row.ts';

/** Takes the rows that the service refused, as a file to correct and import. */
export interface RejectsFile {
  add(row: PetRow, reason: string): void;
  close(): void;
}

const start = '\uFEFFname,category,status,reason\r\n';

/** The file that the same import wrote before, and until when; undefined after a run that was killed. */
export interface OwnRejects {
  readonly path: string;
  readonly until: Date | undefined;
}

/**
 * Starts the file anew: rows of an earlier run may have been added since. What a run that was killed left is moved aside.
 * @throws UserError `cli_file` when it cannot be written, or holds what somebody may still need.
 */
export function openRejectsFile(file: string, own: OwnRejects | undefined): RejectsFile {
  const run = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
    }
  };
  const found = run(() => statSync(file, { throwIfNoEntry: false }));
  if (found?.isFile() && found.size > start.length + MARK_BYTES) {
    const isOwn = own?.path === path.resolve(file);
    // Somebody may have corrected rows in it.
    if (isOwn && own?.until === undefined) run(() => renameSync(file, `${file}.${Date.now()}`));
    else if (!isOwn || found.mtime > (own?.until ?? 0)) throw refuse(file);
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

function refuse(file: string): UserError {
  return new UserError('cli_file', `${file} already exists and was not overwritten.`, {
    details: ['import it first if it holds corrected rows, or name another file'],
  });
}

/** What the mark takes in UTF-8 beyond its one character. */
const MARK_BYTES = 2;

/** RFC 4180; remote text loses what cannot be seen. */
function quote(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return /[",;\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
