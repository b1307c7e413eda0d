import { constants, readFileSync, readlinkSync } from 'node:fs';
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
export function isStdoutClosed(): boolean {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? [];
    const isReadable = (Number.parseInt(flags, 8) & constants.O_RDWR) !== 0;
    return isReadable && readlinkSync('/proc/self/fd/1') === '/dev/null';
  } catch {
    // Not Linux.
    return false;
  }
}
