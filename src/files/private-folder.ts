import { mkdirSync } from 'node:fs';

/** Creates a folder that only its owner can enter (0700), and those above it that are missing. One that exists stays as it is. */
export function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
