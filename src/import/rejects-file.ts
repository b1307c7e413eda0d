import { open, rm } from 'node:fs/promises';
import { encodeNewPet, type NewPet } from '../contract/pet.ts';
import { UserError } from '../errors.ts';
import type { ImportFormat } from './row.ts';

/** Takes rows that the service refused, and is itself importable once they were put right. */
export interface RejectsFile {
  write(pet: NewPet): Promise<void>;
  /** Leaves no file behind when nothing was written. */
  close(): Promise<void>;
}

/** How each format begins, writes a row and ends. A row knows whether it is the first one. */
const writers = {
  csv: {
    begin: 'name,categoryId,status\n',
    row: ({ name, categoryId, status }) => `${quote(name)},${categoryId},${status ?? ''}\n`,
    end: '',
  },
  ndjson: { begin: '', row: (pet) => `${encodeNewPet(pet)}\n`, end: '' },
  json: {
    begin: '[',
    row: (pet, isFirst) => `${isFirst ? '' : ','}\n  ${encodeNewPet(pet)}`,
    end: '\n]\n',
  },
} satisfies Record<
  ImportFormat,
  { begin: string; row: (pet: NewPet, isFirst: boolean) => string; end: string }
>;

/**
 * Creates the file; one that exists is replaced only on request.
 * @throws UserError `cli_file` when it exists or cannot be written.
 */
export async function openRejectsFile(
  file: string,
  { format, canReplace }: { format: ImportFormat; canReplace: boolean },
): Promise<RejectsFile> {
  const writer = writers[format];
  const handle = await open(file, canReplace ? 'w' : 'wx').catch((cause: unknown) => {
    throw refuse(file, cause);
  });
  await handle.writeFile(writer.begin);
  let isFirst = true;
  return {
    async write(pet) {
      await handle.writeFile(writer.row(pet, isFirst));
      isFirst = false;
    },
    async close() {
      await handle.writeFile(writer.end);
      await handle.close();
      if (isFirst) await rm(file);
    },
  };
}

function quote(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function refuse(file: string, cause: unknown): UserError {
  const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
  const reason = exists
    ? 'it exists already'
    : cause instanceof Error
      ? cause.message
      : String(cause);
  return new UserError('cli_file', `The rejects file ${file} cannot be created: ${reason}`, {
    cause,
  });
}
