import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isSystemError } from './system-error.ts';

const CHUNK_BYTES = 64 * 1024;
/** Between two looks into a pipe that has nothing yet: short while data flows, longer while nobody writes. */
const SHORTEST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 50;

/** A file, pipe or device that somebody named, open for reading. */
export interface InputFile {
  handle: FileHandle;
  status: Stats;
  /** Everything up to the end. Fails once the signal is aborted. */
  chunks: AsyncIterable<Buffer>;
}

/**
 * Opens an input without waiting for the writer of a FIFO: a thread that waits in `open` or `read` cannot be stopped,
 * and would keep the whole program from ending.
 */
export async function openInputFile(file: string, signal: AbortSignal): Promise<InputFile> {
  // Windows has no such flag, and no FIFO among its files.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = await handle.stat();
    const waitsForWriter = status.isFIFO() && (await isNamedPipe(file));
    return { handle, status, chunks: readChunks(handle, waitsForWriter, signal) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** One without a name, as `<(…)` of a shell, has had its writer: when nobody holds it open any more it has ended. */
async function isNamedPipe(file: string): Promise<boolean> {
  try {
    return (await lstat(await realpath(file))).isFIFO();
  } catch {
    return false;
  }
}

async function* readChunks(
  handle: FileHandle,
  waitsForWriter: boolean,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  let isWaiting = waitsForWriter;
  let wait = SHORTEST_WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    const chunk = await readNow(handle);
    if (chunk?.length === 0 && !isWaiting) return;
    if (chunk === undefined || chunk.length > 0) isWaiting = false;
    if (chunk !== undefined && chunk.length > 0) {
      wait = SHORTEST_WAIT_MS;
      yield chunk;
    } else {
      await pause(wait, undefined, { signal });
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  }
}

/** Empty at the end, undefined while a writer has nothing yet. */
async function readNow(handle: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (isSystemError(error, 'EAGAIN')) return undefined;
    throw error;
  }
}
