import { randomUUID } from 'node:crypto';
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { discardFile, replaceFile } from './retry-while-open.ts';

/**
 * Replaces the text of a file whole or not at all; the file is its owner's alone (0600), as is its folder if that is new.
 * A durable one is written beside it, synced, renamed, and then the folder is synced: a power cut leaves the old text or the new.
 */
export function writeFileAtomically(
  file: string,
  text: string | Uint8Array,
  { isDurable = true }: { isDurable?: boolean } = {},
): void {
  const draft = `${file}.${randomUUID()}`;
  createPrivateFolder(path.dirname(file));
  try {
    withDescriptor(openSync(draft, 'wx', 0o600), (descriptor) => {
      writeFileSync(descriptor, text);
      if (isDurable) fdatasyncSync(descriptor);
    });
    replaceFile(draft, file);
  } catch (error) {
    discardFile(draft);
    throw error;
  }
  if (isDurable) syncFolder(path.dirname(file));
}

/** Creates a folder that only its owner can enter, and those above it that are missing. One that exists stays as it is. */
export function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** A new name survives a power cut once its folder was synced. */
export function syncFolder(folder: string): void {
  // Windows opens no folder as a file, and keeps the order of renames itself.
  if (process.platform !== 'win32') withDescriptor(openSync(folder, 'r'), fsyncSync);
}

function withDescriptor(descriptor: number, work: (descriptor: number) => void): void {
  try {
    work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
