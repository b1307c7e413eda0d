import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf, messageOf, UserError } from '../errors.ts';
import { isInUse, retryWhileInUse } from '../files.ts';
import { findNearest } from './find-nearest.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads a file, or the stream given in its place, into memory.
 * @throws UserError `cli_file` when it cannot be read, `cli_invalid_input` when it is longer than 32 MiB.
 */
export async function readBytes(
  input: string | Readable,
  name: string,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    if (typeof input !== 'string') return await collectBytes(input, name, signal);
    // A pipe or a device does not say how long it is.
    if ((await stat(input)).size > MAX_BYTES) throw refuseLarge(name);
    return await retryWhileInUse(() => collectBytes(createReadStream(input), name, signal));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    if (signal.aborted) throw new UserError('cli_interrupted', 'Stopped; nothing was sent.');
    throw new UserError('cli_file', await explainFailure(name, cause), { cause });
  }
}

async function collectBytes(stream: Readable, name: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = () => stream.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop);
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BYTES) throw refuseLarge(name);
    chunks.push(bytes);
  }
  signal.removeEventListener('abort', stop);
  return Buffer.concat(chunks, length);
}

function refuseLarge(name: string): UserError {
  return new UserError('cli_invalid_input', `${name} is larger than 32 MiB.`, {
    details: ['split it into several files and import one after another'],
  });
}

async function explainFailure(name: string, cause: unknown): Promise<string> {
  const code = codeOf(cause);
  if (code === 'EISDIR') return `${name} is a folder, not a file.`;
  if (code === 'EBUSY' || isInUse(cause))
    return `${name} is open in another program: close it there, then type the same line again.`;
  if (code !== 'ENOENT') return `${name} cannot be read: ${messageOf(cause)}.`;
  const names = await readdir(path.dirname(name)).catch(() => []);
  const nearest = findNearest(path.basename(name), names);
  const question = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `There is no file ${name}.${question}`;
}
