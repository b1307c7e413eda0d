import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { messageOf, UserError } from '../errors.ts';
import { retryWhileInUse } from '../files.ts';

/** The largest file that is imported: 256 MiB. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a file, or the stream given in its place, into memory.
 * @throws UserError `cli_file` when it cannot be read, `cli_invalid_input` when it is longer than 256 MiB.
 */
export async function readBytes(
  input: string | Readable,
  name: string,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    return await retryWhileInUse(() => read(input, name, signal));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    if (signal.aborted) throw new UserError('cli_interrupted', 'Stopped; nothing was sent.');
    throw new UserError('cli_file', describeFailure(name, cause), { cause });
  }
}

async function read(input: string | Readable, name: string, signal: AbortSignal): Promise<Buffer> {
  if (typeof input !== 'string') return await collect(input, name, signal);
  const stats = await stat(input);
  // A pipe or a device does not say how long it is.
  if (!stats.isFile()) return await collect(createReadStream(input), name, signal);
  if (stats.size > MAX_BYTES) throw refuse(name);
  return await readFile(input, { signal });
}

async function collect(stream: Readable, name: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = () => stream.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop);
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BYTES) throw refuse(name);
    chunks.push(bytes);
  }
  signal.removeEventListener('abort', stop);
  return Buffer.concat(chunks, length);
}

function refuse(name: string): UserError {
  return new UserError('cli_invalid_input', `${name} is larger than 256 MiB.`, {
    details: ['split it into several files and import one after another'],
  });
}

function describeFailure(name: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return `There is no file ${name}.`;
  if (code === 'EISDIR') return `${name} is a folder, not a file.`;
  return `${name} cannot be read: ${messageOf(cause)}.`;
}
