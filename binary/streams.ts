import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { InputStream, OutputStream } from '../src/terminal/terminal.ts';

const RETRY_MS = 2;

/** bun takes 6 ms for the first touch of process.stdin, stdout or stderr: what is no screen gets a plain stream. */
export function openInput(): InputStream {
  return mayBeScreen(0) ? process.stdin : Readable.from(readInput());
}

/** Begins to read with the first demand; until then not even the reader is loaded. */
async function* readInput(): AsyncGenerator<Uint8Array> {
  const { createReadStream } = await import('node:fs');
  yield* createReadStream('', { fd: 0, autoClose: false });
}

export function openOutput(fd: 1 | 2): OutputStream {
  if (mayBeScreen(fd)) return fd === 1 ? process.stdout : process.stderr;
  return new Writable({ write: (chunk, _, done) => writeAll(fd, chunk, done) });
}

function mayBeScreen(fd: number): boolean {
  try {
    const status = fstatSync(fd);
    return status.isCharacterDevice() && status.rdev !== statSync(devNull).rdev;
  } catch {
    // Closed before the program began; the real stream knows what to do.
    return true;
  }
}

/** Waits for a slow reader as Node's own stdout does on a pipe, but for one that somebody made non-blocking. */
function writeAll(fd: number, bytes: Uint8Array, done: (error?: Error | null) => void): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
    done();
  } catch (error) {
    const rest = bytes.subarray(written);
    if (isBusy(error)) setTimeout(writeAll, RETRY_MS, fd, rest, done);
    else done(error instanceof Error ? error : new Error(String(error)));
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
