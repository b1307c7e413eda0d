import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.ts';
import { type ByteSource, readBytes } from './read-bytes.ts';
import { readRows } from './read-rows.ts';
import type { ImportFormat, ReadOptions, Row } from './row.ts';

/** A file that can be read several times over, whatever happens to its name meanwhile. */
export interface ImportFile {
  path: string;
  format: ImportFormat;
  /** The format was guessed from the content, not said by a flag or the file's name. */
  isGuessed: boolean;
  readRows(options: ReadOptions): ImportPass;
  close(): Promise<void>;
}

/** One reading of a file from its beginning. */
export interface ImportPass {
  rows: AsyncGenerator<Row, void, undefined>;
  /** SHA-256 in hex of what was read so far. */
  hash: ByteSource['hash'];
}

export interface OpenFileOptions {
  path: string;
  format?: ImportFormat | undefined;
}

const extensions: Record<string, ImportFormat> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Opens a regular file for import. @throws UserError `cli_file` when it cannot be read. */
export async function openImportFile(options: OpenFileOptions): Promise<ImportFile> {
  const handle = await openForReading(options.path);
  const said = options.format ?? extensions[path.extname(options.path).toLowerCase()];
  const format = said ?? (await guessFormat(handle));
  return {
    path: options.path,
    format,
    isGuessed: said === undefined,
    readRows(readOptions) {
      const source = readBytes(handle, options.path);
      return { rows: readRows(source, format, readOptions), hash: source.hash };
    },
    close: () => handle.close(),
  };
}

/** Whether the file can be read only once, as a pipe or a terminal can. */
export async function isReadOnce(file: string): Promise<boolean> {
  const handle = await openForReading(file);
  try {
    return !(await handle.stat()).isFile();
  } finally {
    await handle.close();
  }
}

async function openForReading(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r');
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError('cli_file', `${file} cannot be read: ${reason}`, { cause });
  }
  throw new UserError('cli_file', `${file} is a folder, not a file`);
}

/** `[` begins an array, `{` a line of NDJSON, anything else a line of column names. */
async function guessFormat(handle: FileHandle): Promise<ImportFormat> {
  const buffer = Buffer.alloc(4096);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  const text = buffer
    .toString('utf8', 0, bytesRead)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('[')) return 'json';
  return text.startsWith('{') ? 'ndjson' : 'csv';
}

/**
 * Keeps what can be read only once in a private file (0600), so that an import of it can be checked before anything
 * is sent, and resumed. Returns its path.
 */
export async function spoolInput(
  input: AsyncIterable<string | Uint8Array>,
  { folder, name }: { folder: string; name: string },
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, name);
  const partial = `${file}.partial`;
  const handle = await open(partial, 'wx', 0o600);
  try {
    for await (const chunk of input) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
  return file;
}
