import { writeSync } from 'node:fs';
import { isClosedByShell } from './closed-output.ts';

/** Writes a short text to stdout without loading anything. False when that fails: the program then does it, and reports it. */
export function printAtOnce(text: string): boolean {
  try {
    return !isClosedByShell(1) && writeSync(1, text) === Buffer.byteLength(text);
  } catch {
    return false;
  }
}
