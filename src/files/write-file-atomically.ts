import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createPrivateFolder } from './private-folder.ts';

/**
 * Replaces the text of a file whole or not at all; the file is its owner's alone (0600), as is its folder if that is new.
 * A durable one is written beside it, synced, renamed, and then the folder is synced: a power cut leaves the old text or the new.
 */
export function writeFileAtomically(
  file: string,
  text: string,
  { isDurable = true }: { isDurable?: boolean } = {},
): void {
  const draft = `${file}.${randomUUID()}`;
  createPrivateFolder(path.dirname(file));
  try {
    writeDraft(draft, text, isDurable);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (isDurable) syncFolder(path.dirname(file));
}

function writeDraft(draft: string, text: string, isDurable: boolean): void {
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (isDurable) fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(folder: string): void {
  // Windows opens no folder as a file, and keeps the order of renames itself.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
