import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf, UserError } from '../errors.ts';
import type { PetRow } from './row.ts';

/** Takes the rows that the service refused, as a file to correct and import. */
export interface RejectsFile {
  add(row: PetRow, reason: string): void;
  close(): void;
}

/** Empties the file: rows of an earlier run may have been added since. @throws UserError `cli_file` */
export function openRejectsFile(file: string): RejectsFile {
  const run = <T>(act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
    }
  };
  const handle = run(() => openSync(file, 'w'));
  const write = (cells: readonly string[]) =>
    run(() => writeSync(handle, `${cells.map(quote).join(',')}\r\n`));
  // Without the mark Excel takes UTF-8 for Windows-1252.
  run(() => writeSync(handle, '\uFEFF'));
  write(['name', 'category', 'status', 'reason']);
  return {
    add: ({ pet }, reason) => {
      write([pet.name, String(pet.categoryId), pet.status ?? '', reason]);
    },
    close: () => closeSync(handle),
  };
}

/** RFC 4180; remote text loses what cannot be seen. */
function quote(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return /[",;\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
