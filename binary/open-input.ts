import { Readable } from 'node:stream';
import { mayBeTerminal } from '../src/terminal/process-output.ts';
import type { InputStream } from '../src/terminal/terminal.ts';

/** The first use of process.stdin is slow in bun: what is not a terminal gets a plain stream. */
export function openInput(): InputStream {
  return mayBeTerminal(0) ? process.stdin : Readable.from(readInput());
}

/** Starts to read with the first demand; until then not even the reader is loaded. */
async function* readInput(): AsyncGenerator<Uint8Array> {
  const { createReadStream } = await import('node:fs');
  yield* createReadStream('', { fd: 0, autoClose: false });
}
