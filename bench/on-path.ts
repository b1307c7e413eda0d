import { existsSync } from 'node:fs';
import path from 'node:path';

/** Whether a program is installed on this machine. */
export function isOnPath(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, program)));
}
