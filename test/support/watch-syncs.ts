import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/** What a power cut leaves: a file or a folder is synced, or a file gets its name. */
type Step = 'sync' | 'rename';

/**
 * Notes the syncs and renames of this process until the end of the test: but for a power cut, nothing shows them from
 * outside. What is returned lists them as `sync <name>`, for files and folders that are given by a name each.
 */
export async function watchSyncs(): Promise<
  (files: Readonly<Record<string, string>>) => readonly string[]
> {
  const steps: { readonly step: Step; readonly inode: bigint }[] = [];
  const note = (step: Step, { ino }: fs.BigIntStats) => steps.push({ step, inode: ino });
  const noteSync = (descriptor: number) => note('sync', fs.fstatSync(descriptor, { bigint: true }));
  const noteRename = (from: fs.PathLike) => note('rename', fs.statSync(from, { bigint: true }));
  const { fsync, fsyncSync, rename, renameSync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((descriptor, done) => {
    noteSync(descriptor);
    fsync(descriptor, done);
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    noteSync(descriptor);
    fsyncSync(descriptor);
  });
  vi.spyOn(fs, 'rename').mockImplementation((from, to, done) => {
    noteRename(from);
    rename(from, to, done);
  });
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    noteRename(from);
    renameSync(from, to);
  });
  const handles = await findHandlePrototype();
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(function syncHandle(this: FileHandle) {
    noteSync(this.fd);
    return sync.call(this);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return (files) => {
    const names = new Map(
      Object.entries(files).map(([name, file]) => [fs.statSync(file, { bigint: true }).ino, name]),
    );
    return steps.flatMap(({ step, inode }) => {
      const name = names.get(inode);
      return name === undefined ? [] : [`${step} ${name}`];
    });
  };
}

/** What all open files of `fs/promises` share. */
async function findHandlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.dirname);
  await handle.close();
  return Object.getPrototypeOf(handle);
}
