import { fstatSync, readSync, statSync } from 'node:fs';
import { messageOf, UserError } from '../../errors.ts';

/** Before anything is created for a key that could not be printed. @throws UserError `cli_output` */
export function requireStdout(): void {
  if (isStdoutClosed()) throw refuseToPrint('stdout is closed');
}

/** Waits until a new key is written: one that nobody saw must not become valid. @throws UserError `cli_output` */
export async function printKey(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw refuseToPrint(messageOf(error));
  }
}

function refuseToPrint(reason: string): UserError {
  return new UserError('cli_output', 'The key cannot be printed, so none was created.', {
    details: [reason],
  });
}

/** Node opens /dev/null, to read and write, in place of a stdout that is closed; `> /dev/null` only writes. */
function isStdoutClosed(): boolean {
  try {
    if (fstatSync(1).rdev !== statSync('/dev/null').rdev) return false;
    readSync(1, Buffer.alloc(1));
    return true;
  } catch {
    return false;
  }
}
