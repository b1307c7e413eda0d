import { Readable } from 'node:stream';
import { mayBeTerminal } from '../src/terminal/process-output.ts';
import type { InputStream } from '../src/terminal/terminal.ts';

/** bun takes 6 ms for the first touch of process.stdin: what is no screen gets a plain stream. */
export function openInput(): InputStream {
  return mayBeTerminal(0) ? process.stdin : Readable.from(readInput());
}

/** Begins to read with the first demand; until then not even the reader is loaded. */
async function* readInput(): AsyncGenerator<Uint8Array> {
  const { createReadStream } = await import('node:fs');
  yield* createReadStream('', { fd: 0, autoClose: false });
}
