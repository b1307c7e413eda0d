import { constants, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import type { OutputStream } from './terminal/sink.ts';

const RETRY_MS = 2;

/** This process's own output, each stream opened when it is first looked at. A writer who waits gives up with the signal. */
export function createOutput(signal: AbortSignal) {
  const opened = new Map<1 | 2, OutputStream>();
  const open = (fd: 1 | 2): OutputStream => {
    const stream = opened.get(fd) ?? openOutput(fd, signal);
    opened.set(fd, stream);
    return stream;
  };
  return {
    get stdout() {
      return open(1);
    },
    get stderr() {
      return open(2);
    },
  };
}

/**
 * The first touch of `process.stdout` costs Node 4 ms, in which it loads its networking, and bun 6 ms; so a file or a
 * pipe gets a plain stream.
 */
function openOutput(fd: 1 | 2, signal: AbortSignal): OutputStream {
  const own = openPlain(fd);
  if (own === undefined) return fd === 1 ? process.stdout : process.stderr;
  const stream: OutputStream = {
    write: (text, done) => writeAll(own, Buffer.from(text), signal, done),
    // Failures reach the one who writes.
    on: () => stream,
  };
  return stream;
}

/** Whether a descriptor is a terminal, or may be for all that can be told without Node's own stream. */
export function mayBeTerminal(fd: number): boolean {
  try {
    const status = fstatSync(fd);
    return status.isCharacterDevice() && status.rdev !== statSync('/dev/null').rdev;
  } catch {
    // Closed before the program began, or a system without /dev/null.
    return true;
  }
}

/** What to write to without ever being stopped by a reader who is slow: no signal would be heard then. */
function openPlain(fd: number): number | undefined {
  // Only here does a path open a pipe anew, so that others who write to it do not find it changed.
  if (process.platform !== 'linux' || mayBeTerminal(fd)) return undefined;
  try {
    if (!fstatSync(fd).isFIFO()) return fstatSync(fd).isSocket() ? undefined : fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function writeAll(
  fd: number,
  bytes: Uint8Array,
  signal: AbortSignal,
  done: (error?: Error | null) => void,
): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    if (isBusy && !signal.aborted) {
      setTimeout(writeAll, RETRY_MS, fd, bytes.subarray(written), signal, done);
    } else {
      done(error instanceof Error ? error : new Error(String(error)));
    }
    return;
  }
  done();
}
