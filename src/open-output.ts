import { fstatSync, statSync, writeSync } from 'node:fs';
import type { OutputStream } from './terminal/sink.ts';

const RETRY_MS = 2;

/**
 * This process's own stdout or stderr. The first touch of `process.stdout` costs Node 4 ms, in which it loads its
 * networking, and bun 6 ms; so what is no screen gets a plain stream, which writes as Node's own does on a pipe or a
 * file: at once, waiting for a slow reader.
 */
export function openOutput(fd: 1 | 2): OutputStream {
  if (mayBeScreen(fd)) return fd === 1 ? process.stdout : process.stderr;
  const stream: OutputStream = {
    write: (text, done) => writeAll(fd, Buffer.from(text), done),
    // Failures reach the one who writes.
    on: () => stream,
  };
  return stream;
}

export function mayBeScreen(fd: number): boolean {
  // There a pipe's own stream is asynchronous.
  if (process.platform === 'win32') return true;
  try {
    const status = fstatSync(fd);
    return status.isCharacterDevice() && status.rdev !== statSync('/dev/null').rdev;
  } catch {
    // Closed before the program began; the real stream knows what to do.
    return true;
  }
}

function writeAll(fd: number, bytes: Uint8Array, done: (error?: Error | null) => void): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    const rest = bytes.subarray(written);
    // Somebody made it non-blocking, and its reader is slow.
    if (isBusy(error)) setTimeout(writeAll, RETRY_MS, fd, rest, done);
    else done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
