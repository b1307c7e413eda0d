import { addAbortSignal, type Readable } from 'node:stream';
import { openInputFile } from './open-input-file.ts';

/** The chunks of a stream such as stdin, which end with a failure when the program is asked to stop. */
export function readStream(stream: Readable, signal: AbortSignal): AsyncIterable<Buffer> {
  return addAbortSignal(signal, stream);
}

/** More was given than anything that is expected. */
export class InputTooLongError extends Error {
  override readonly name = 'InputTooLongError';
  constructor(maxBytes: number) {
    super(`it is longer than ${maxBytes / 1024} KiB`);
  }
}

/** Reads a whole input, a stream or a file of this name, that is small. @throws InputTooLongError; the system's own errors. */
export async function readInput(
  input: Readable | string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  if (typeof input !== 'string') return await collect(readStream(input, signal), maxBytes);
  const { handle, chunks } = await openInputFile(input, signal);
  try {
    return await collect(chunks, maxBytes);
  } finally {
    await handle.close();
  }
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new InputTooLongError(maxBytes);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
