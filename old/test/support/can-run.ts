import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether this machine has the programs; under `CI` a missing one is a failure, not a reason to skip. */
export function canRun(...programs: string[]): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isInstalled = (program: string) =>
    folders.some((folder) => existsSync(join(folder, program)));
  return process.env.CI === 'true' || programs.every(isInstalled);
}
