import path from 'node:path';
import type { Readable } from 'node:stream';
import { messageOf, UserError } from '../../errors.ts';
import { type InputFile, openInputFile } from '../../files/open-input-file.ts';
import { readStream } from '../../files/read-input.ts';
import { isMissing } from '../../files/system-error.ts';
import { type ByteSource, readBytes } from './read-bytes.ts';
import type { ImportFormat } from './row.ts';

/** What is imported, to be read once from its beginning to its end. */
export interface ImportInput {
  /** What the person calls it: its path, or `stdin`. */
  name: string;
  /** Absolute; undefined for stdin and pipes, which cannot be read a second time. */
  path?: string;
  format: ImportFormat;
  /** The format was guessed from the content, not given by a flag or the file's name. */
  isGuessed: boolean;
  /** In bytes; undefined as long as nobody can know. */
  size?: number;
  source: ByteSource;
  close(): Promise<void>;
}

const extensions: Record<string, ImportFormat> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The format that a file's name says. */
export function findFormat(file: string): ImportFormat | undefined {
  return extensions[path.extname(file).toLowerCase()];
}

/** Opens a file, or a pipe that has a name; undefined when there is none. @throws UserError `cli_file` when it cannot be read. */
export async function openFileInput(
  file: string,
  signal: AbortSignal,
  given?: ImportFormat,
): Promise<ImportInput | undefined> {
  const input = await openForReading(file, signal);
  if (input === undefined) return undefined;
  const { handle, status, chunks } = input;
  const close = () => handle.close();
  try {
    if (status.isDirectory()) throw new UserError('cli_file', `${file} is a folder, not a file`);
    const format = given ?? findFormat(file);
    if (!status.isFile()) {
      return { ...(await openSource(chunks, file, format)), close };
    }
    const opened = await openSource(readUnchanged(input, file), file, format);
    return { ...opened, path: path.resolve(file), size: status.size, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a stream such as stdin. */
export async function openStreamInput(
  stream: Readable,
  signal: AbortSignal,
  format?: ImportFormat,
): Promise<ImportInput> {
  return {
    ...(await openSource(readStream(stream, signal), 'stdin', format)),
    close: async () => {},
  };
}

async function openSource(chunks: AsyncIterable<Buffer>, name: string, given?: ImportFormat) {
  const source = await readBytes(chunks, name);
  return {
    name,
    format: given ?? guessFormat(source.start),
    isGuessed: given === undefined,
    source,
  };
}

async function openForReading(file: string, signal: AbortSignal): Promise<InputFile | undefined> {
  try {
    return await openInputFile(file, signal);
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    const reason = messageOf(cause);
    throw new UserError('cli_file', `${file} cannot be read: ${reason}`, { cause });
  }
}

/** A mixture of what a file was and what it is now is nobody's file. */
async function* readUnchanged({ handle, chunks }: InputFile, name: string): AsyncGenerator<Buffer> {
  const before = await handle.stat({ bigint: true });
  yield* chunks;
  const after = await handle.stat({ bigint: true });
  if (after.size === before.size && after.mtimeNs === before.mtimeNs) return;
  throw new UserError('cli_file', `${name} was changed while it was read; nothing was sent`);
}

/** `[` starts an array, `{` a line of NDJSON, anything else a line of column names. */
function guessFormat(first: Buffer): ImportFormat {
  const text = first.toString('utf8').trimStart();
  if (text.startsWith('[')) return 'json';
  return text.startsWith('{') ? 'ndjson' : 'csv';
}
