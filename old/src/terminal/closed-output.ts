import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

const NULL_DEVICE = '/dev/null';
const shells = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'fish', 'busybox'];

/** `O_RDWR` in the octal flags of a descriptor. */
const ACCESS_MODE = 3;
const READ_AND_WRITE = 2;

/**
 * Whether a shell closed this descriptor (`>&-`), as far as Linux lets us know. Node opens /dev/null in its place, for
 * reading and writing, and so do programs that want no output; but a shell never does, unless it was given that itself.
 */
export function isClosedByShell(fd: number): boolean {
  try {
    if (!isNullForBoth('self', fd)) return false;
    const parent = String(process.ppid);
    const program = path.basename(readlinkSync(`/proc/${parent}/exe`));
    if (!shells.includes(program)) return false;
    // Some shells close their own while the command runs.
    return !existsSync(`/proc/${parent}/fdinfo/${fd}`) || !isNullForBoth(parent, fd);
  } catch {
    // Another system, or another user's process.
    return false;
  }
}

function isNullForBoth(id: string, fd: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/${id}/fdinfo/${fd}`, 'utf8'))?.[1];
  const mode = Number.parseInt(flags ?? '0', 8) & ACCESS_MODE;
  return mode === READ_AND_WRITE && readlinkSync(`/proc/${id}/fd/${fd}`) === NULL_DEVICE;
}
