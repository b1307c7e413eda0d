import { constants, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { isClosedByShell } from './closed-output.ts';
import type { OutputStream } from './sink.ts';

/** How long a full pipe is tried again in every turn of the event loop: a fast reader has made room by then. */
const BUSY_MS = 1;
/** How often after that. */
const RETRY_MS = 2;

/** The output of this process, each stream opened at its first use. A write that waits for a slow reader fails when the signal comes. */
export function createProcessOutput(signal: AbortSignal) {
  let stdout: OutputStream | undefined;
  let stderr: OutputStream | undefined;
  return {
    get stdout() {
      stdout ??= openOutput(1, signal);
      return stdout;
    },
    get stderr() {
      stderr ??= openOutput(2, signal);
      return stderr;
    },
  };
}

/**
 * A file or a pipe is written directly, since the first use of `process.stdout` loads all of Node's networking, which
 * `--help` would feel (bench/README.md).
 */
function openOutput(fd: 1 | 2, signal: AbortSignal): OutputStream {
  if (fd === 1 && isClosedByShell(fd)) return createClosedOutput();
  const direct = openDirect(fd);
  if (direct === undefined) return fd === 1 ? process.stdout : process.stderr;
  const stream: OutputStream = {
    write: (text, done) => writeAll(direct, Buffer.from(text), signal, done),
    // Each failure is passed to its write.
    on: () => stream,
  };
  return stream;
}

/** What is written to it is lost, which must not look like success. */
function createClosedOutput(): OutputStream {
  const stream: OutputStream = {
    write: (_, done) => done(new Error('stdout is closed')),
    on: () => stream,
  };
  return stream;
}

/** Whether a descriptor is a terminal, as far as can be known without Node's own stream. */
export function mayBeTerminal(fd: number): boolean {
  try {
    const status = fstatSync(fd);
    return status.isCharacterDevice() && status.rdev !== statSync('/dev/null').rdev;
  } catch {
    // Closed before the program began, or a system without /dev/null.
    return true;
  }
}

/** A descriptor of this file or pipe that never blocks, as no signal would be handled while it did. */
function openDirect(fd: number): number | undefined {
  // Only Linux can open a pipe a second time, which leaves it blocking for the others who write to it.
  if (process.platform !== 'linux' || mayBeTerminal(fd)) return undefined;
  try {
    const status = fstatSync(fd);
    if (!status.isFIFO()) return status.isSocket() ? undefined : fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Writes what fits now, and the rest as the reader makes room. */
function writeAll(
  fd: number,
  bytes: Uint8Array,
  signal: AbortSignal,
  done: (error?: Error | null) => void,
): void {
  let rest = bytes;
  const startedAt = readClock();
  const go = () => {
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isFull || signal.aborted)
        done(error instanceof Error ? error : new Error(String(error)));
      else if (readClock() - startedAt < BUSY_MS) setImmediate(go);
      else setTimeout(go, RETRY_MS);
      return;
    }
    done();
  };
  go();
}

/** Milliseconds. Not `performance.now`, which takes Node longer to load. */
function readClock(): number {
  return process.uptime() * 1000;
}
