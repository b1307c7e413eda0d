import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A new name survives a power cut once its folder was synced; Windows cannot and need not do it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
