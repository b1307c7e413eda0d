import { open, rm, stat } from 'node:fs/promises';
import { encodeNewPet, type NewPet } from '../../contract/pet.ts';
import { UserError } from '../../errors.ts';
import type { ImportFormat } from '../read/row.ts';

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

export interface RejectsOptions {
  format: ImportFormat;
  /** The file that is imported. */
  source: string;
  canReplace: boolean;
}

/**
 * Creates the file; one that exists is replaced only on request, and never when it is the imported one.
 * @throws UserError `cli_file` when it exists or cannot be written.
 */
export async function openRejectsFile(
  file: string,
  { format, source, canReplace }: RejectsOptions,
): Promise<RejectsFile> {
  const writer = writers[format];
  if (await isSameFile(file, source)) {
    throw new UserError('cli_file', `The rejects file ${file} is the file that is imported`);
  }
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

async function isSameFile(one: string, other: string): Promise<boolean> {
  const look = (file: string) => stat(file, { bigint: true }).catch(() => undefined);
  const [a, b] = await Promise.all([look(one), look(other)]);
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
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
