import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { encodeNewPet, type NewPet } from '../../contract/pet.ts';
import { messageOf, UserError } from '../../errors.ts';
import { discardFile, replaceFile } from '../../files/retry-while-open.ts';
import { isMissing } from '../../files/system-error.ts';
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
 * Opens the file, in the format its name says or that of the source. It is written beside its place and put there by `close`.
 * @param known SHA-256 of a file that may be replaced, as an earlier run of the import wrote it.
 * @throws UserError `cli_file` when another file is there, it is the imported one, or it cannot be created.
 */
export async function openRejectsFile(file: string, source: RejectsSource, known?: string) {
  if (source.path !== null && (await isSameFile(file, source.path))) {
    throw new UserError('cli_file', `The rejects file ${file} is the file that is imported`);
  }
  await refuseOther(file, known);
  const draft = `${file}.${randomUUID()}`;
  const handle = await open(draft, 'wx').catch((cause: unknown) => {
    throw refuse(file, messageOf(cause), cause);
  });
  const format = findFormat(file) ?? source.format;
  const layout = layouts[format];
  // Rows keep their own text where it fits, with every column and the quotes they had.
  const isSameFormat = format === source.format;
  const hash = createHash('sha256');
  let before = isSameFormat && format === 'csv' ? `${source.header}\n` : layout.start;
  let state: 'empty' | 'good' | 'failed' = 'empty';

  async function put(text: string): Promise<void> {
    try {
      await handle.writeFile(text);
    } catch (cause) {
      state = 'failed';
      const message = `The rejects file ${file} could not be written: ${messageOf(cause)}`;
      throw new UserError('cli_output', message, { cause });
    }
    state = 'good';
    hash.update(text);
  }
  return {
    /** @param text the row as it was in the imported file. */
    async write(pet: NewPet, text: string): Promise<void> {
      await put(`${before}${isSameFormat ? text : layout.row(pet)}`);
      before = layout.separator;
    },
    /** Puts the file in its place and returns its SHA-256. When nothing was written, all stays as it was. */
    async close(): Promise<string | undefined> {
      try {
        if (state === 'good') await put(layout.end).finally(() => handle.close());
        else await handle.close();
        if (state !== 'good') return undefined;
        await refuseOther(file, known);
        replaceFile(draft, file);
        return hash.digest('hex');
      } finally {
        discardFile(draft);
      }
    },
  };
}

/** A file that was there, or was corrected since this import wrote it, is somebody's work. */
async function refuseOther(file: string, known: string | undefined): Promise<void> {
  try {
    if ((await lstat(file)).isFile() && known !== undefined && (await hashFile(file)) === known)
      return;
  } catch (cause) {
    if (isMissing(cause)) return;
    throw refuse(file, messageOf(cause), cause);
  }
  throw refuse(file, 'it exists already');
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const look = (file: string) => stat(file, { bigint: true }).catch(() => undefined);
  const [a, b] = await Promise.all([look(one), look(other)]);
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

function quote(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function refuse(file: string, reason: string, cause?: unknown): UserError {
  return new UserError('cli_file', `The rejects file ${file} cannot be created: ${reason}`, {
    cause,
  });
}
