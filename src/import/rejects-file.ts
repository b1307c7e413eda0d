import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import type { ImportRecord } from './import-record.ts';
import type { PetRow } from './row.ts';

/** Takes the rows that the service refused, as a file to correct and import. */
export interface RejectsFile {
  /** @throws UserError `cli_file` */
  add(row: PetRow, reason: string): void;
  /** Returns the file's time of change, by which it is known again. */
  close(): number;
}

const start = '\uFEFFname,category,status,reason\r\n';

/**
 * Starts the file anew: rows of an earlier run may have been added since. What a run that was killed left is moved aside.
 * @param own the file that the same import wrote before.
 * @throws UserError `cli_file` when it cannot be written, or contains what somebody may still need.
 */
export function openRejectsFile(file: string, own: ImportRecord['rejects']): RejectsFile {
  const run = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
    }
  };
  const found = run(() => statSync(file, { throwIfNoEntry: false }));
  const isBlank = () =>
    found?.size === Buffer.byteLength(start) && run(() => readFileSync(file, 'utf8')) === start;
  if (found?.isFile() && found.size > 0 && !isBlank()) {
    const isOwn = own?.path === path.resolve(file);
    // Somebody may have corrected rows in it.
    if (isOwn && own.mtimeMs === undefined) run(() => renameSync(file, `${file}.${Date.now()}`));
    else if (!isOwn || own.mtimeMs !== found.mtimeMs) throw refuse(file);
  }
  const handle = run(() => openSync(file, 'w'));
  // Without its mark Excel takes UTF-8 for Windows-1252.
  run(() => writeSync(handle, start));
  return {
    add: ({ pet }, reason) => {
      const cells = [pet.name, String(pet.categoryId), pet.status ?? '', reason];
      run(() => writeSync(handle, `${cells.map(quote).join(',')}\r\n`));
    },
    close: () => {
      const { mtimeMs } = fstatSync(handle);
      closeSync(handle);
      return mtimeMs;
    },
  };
}

function refuse(file: string): UserError {
  return new UserError('cli_file', `${file} already exists and was not overwritten.`, {
    details: ['import it first if it contains corrected rows, or name another file'],
  });
}

/** RFC 4180; remote text loses what cannot be seen. */
function quote(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return /[",;\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
