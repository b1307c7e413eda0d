import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NewPet } from '../contract/pet.ts';
import { messageOf, UserError } from '../errors.ts';

export interface RefusedRow {
  readonly pet: NewPet;
  readonly reason: string;
}

/** Without its mark Excel takes UTF-8 for Windows-1252. */
const header = '\uFEFFname,category,status,reason\r\n';

/**
 * Looks before anything is sent whether the file of `--rejects` can be written at the end.
 * @param input what is imported. @throws UserError when it names that, something else that exists, or no place to write.
 */
export async function checkRejectsFile(input: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  if (path.resolve(file) === path.resolve(input))
    throw new UserError('cli_usage', `--rejects names the file that is imported, ${input}.`, {
      details: ['name another file'],
    });
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch((cause) => {
    throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
  });
  const found = await readExisting(file);
  if (found === '' || found.startsWith(header)) return;
  throw new UserError('cli_file', `${file} already exists and was not overwritten.`, {
    details: ['it does not hold refused rows: name another file'],
  });
}

/** Writes the refused rows, if there are any, as a file to correct. What an earlier import wrote there is moved aside. */
export async function writeRejectsFile(
  file: string | undefined,
  rows: readonly RefusedRow[],
): Promise<void> {
  if (file === undefined || rows.length === 0) return;
  const lines = rows.map(({ pet: { name, categoryId, status = '' }, reason }) =>
    [name, String(categoryId), status, reason].map(quoteCell).join(','),
  );
  const text = `${header}${lines.join('\r\n')}\r\n`;
  try {
    const found = await readExisting(file);
    // Somebody may have corrected rows in it.
    if (found !== '' && found !== text) await rename(file, `${file}.${Date.now()}`);
    await writeFile(file, text);
  } catch (cause) {
    throw new UserError('cli_file', `${file} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}

async function readExisting(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new UserError('cli_file', `${file} cannot be written: ${messageOf(error)}.`);
  }
}

/** RFC 4180; remote text loses what cannot be seen. */
function quoteCell(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return /[",;\t]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
