import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { type ByteSource, readBytes } from './read/read-bytes.ts';
import { readRows } from './read/read-rows.ts';
import type { ImportFormat, ReadOptions, Row } from './read/row.ts';

/** A file that can be read several times over, whatever happens to its name meanwhile. */
export interface ImportFile {
  path: string;
  /** What the person calls it: its path, or `stdin`. */
  name: string;
  format: ImportFormat;
  /** The format was guessed from the content, not said by a flag or the file's name. */
  isGuessed: boolean;
  /** In bytes. */
  size: number;
  readRows(options: ReadOptions): ImportPass;
  close(): Promise<void>;
}

/** One reading of a file from its beginning. */
interface ImportPass {
  rows: AsyncGenerator<Row, void, undefined>;
  /** SHA-256 in hex of what was read so far. */
  hash: ByteSource['hash'];
  bytesRead: ByteSource['bytesRead'];
}

export interface OpenFileOptions {
  path: string;
  /** The path unless given. */
  name?: string;
  format?: ImportFormat | undefined;
}

const extensions: Record<string, ImportFormat> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The format that a file's name tells. */
export function findFormat(file: string): ImportFormat | undefined {
  return extensions[path.extname(file).toLowerCase()];
}

/** Opens a regular file for import. @throws UserError `cli_file` when it cannot be read. */
export async function openImportFile(options: OpenFileOptions): Promise<ImportFile> {
  const handle = await openForReading(options.path);
  const said = options.format ?? findFormat(options.path);
  const format = said ?? (await guessFormat(handle));
  const state = await handle.stat({ bigint: true });
  const { name = options.path } = options;
  return {
    path: options.path,
    name,
    format,
    isGuessed: said === undefined,
    size: Number(state.size),
    readRows(readOptions) {
      const source = readBytes({ handle, name, state });
      const { hash, bytesRead } = source;
      return { rows: readRows(source, format, readOptions), hash, bytesRead };
    },
    close: () => handle.close(),
  };
}

/** The content of a file that can be read only once, as a pipe can; undefined for any other. */
export async function openOnceReadable(file: string): Promise<AsyncIterable<Buffer> | undefined> {
  const handle = await openForReading(file);
  if (!(await handle.stat()).isFile()) return handle.createReadStream();
  await handle.close();
  return undefined;
}

async function openForReading(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r');
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
  } catch (cause) {
    const reason = messageOf(cause);
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
