import { writeSync } from 'node:fs';
import { isClosedByShell } from './closed-output.ts';

/** Writes a short text to stdout without loading anything. False when that fails: the program then does it, and reports it. */
export function printAtOnce(text: string): boolean {
  if (isClosedByShell(1)) return false;
  try {
    // A disk that fills takes a part: the rest is refused, or follows it.
    for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(1, rest));
    return true;
  } catch {
    return false;
  }
}
