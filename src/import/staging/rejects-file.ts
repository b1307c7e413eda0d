import { open, rm, stat } from 'node:fs/promises';
import { encodeNewPet, type NewPet } from '../../contract/pet.ts';
import { messageOf, UserError } from '../../errors.ts';
import { isSystemError } from '../../files/system-error.ts';
import { findFormat } from '../read/open-input.ts';
import type { ImportFormat } from '../read/row.ts';

/** Takes rows that the service rejected, and is itself importable once they are corrected. */
export type RejectsFile = Awaited<ReturnType<typeof openRejectsFile>>;

const layouts = {
  csv: {
    start: 'name,categoryId,status\n',
    row: ({ name, categoryId, status }: NewPet) => `${quote(name)},${categoryId},${status ?? ''}`,
    separator: '\n',
    end: '\n',
  },
  ndjson: { start: '', row: encodeNewPet, separator: '\n', end: '\n' },
  json: { start: '[\n  ', row: encodeNewPet, separator: ',\n  ', end: '\n]\n' },
} satisfies Record<ImportFormat, unknown>;

/** The imported file, its format and, for CSV, its line of column names. */
interface RejectsSource {
  path: string | null;
  format: ImportFormat;
  header: string;
}

/**
 * Creates the file, in the format its name says or that of the source; one that exists is replaced only on request,
 * and never when it is the imported one. @throws UserError `cli_file` when it exists or cannot be written.
 */
export async function openRejectsFile(file: string, source: RejectsSource, canReplace: boolean) {
  if (source.path !== null && (await isSameFile(file, source.path))) {
    throw new UserError('cli_file', `The rejects file ${file} is the file that is imported`);
  }
  const handle = await open(file, canReplace ? 'w' : 'wx').catch((cause: unknown) => {
    throw refuse(file, cause);
  });
  const format = findFormat(file) ?? source.format;
  const layout = layouts[format];
  // Rows keep their own text where it fits, with every column and the quotes they had.
  const isSameFormat = format === source.format;
  let before = isSameFormat && format === 'csv' ? `${source.header}\n` : layout.start;
  let isEmpty = true;
  return {
    /** @param text the row as it was in the imported file. */
    async write(pet: NewPet, text: string): Promise<void> {
      await handle.writeFile(`${before}${isSameFormat ? text : layout.row(pet)}`);
      before = layout.separator;
      isEmpty = false;
    },
    /** Leaves no file behind when nothing was written. */
    async close(): Promise<void> {
      if (!isEmpty) await handle.writeFile(layout.end);
      await handle.close();
      if (isEmpty) await rm(file);
    },
  };
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const look = (file: string) => stat(file, { bigint: true }).catch(() => undefined);
  const [a, b] = await Promise.all([look(one), look(other)]);
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

function quote(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function refuse(file: string, cause: unknown): UserError {
  const reason = isSystemError(cause, 'EEXIST') ? 'it exists already' : messageOf(cause);
  return new UserError('cli_file', `The rejects file ${file} cannot be created: ${reason}`, {
    cause,
  });
}
