import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/**
 * Reads a file that this program keeps. What else stands in its place is refused at once: a FIFO would be waited for
 * forever, a device may never end. @throws the system's error, or one like it.
 */
export function readOwnFile(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw refuseKind(file, status);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** An error like the system's own, for what is not a file. */
export function refuseKind(file: string, status: Stats): Error {
  const message = `${file} is ${describeKind(status)}, not a file`;
  return Object.assign(new Error(message), { code: 'EINVAL', syscall: 'open' });
}

function describeKind(status: Stats): string {
  if (status.isDirectory()) return 'a folder';
  return status.isFIFO() ? 'a pipe' : 'a device';
}
