import { constants, readFileSync, readlinkSync } from 'node:fs';

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
