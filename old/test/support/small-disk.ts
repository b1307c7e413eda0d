import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder } from './make-folder.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free, until `free`. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remountReadOnly(): void;
}

/** Why this machine cannot mount a disk for a test; undefined when it can. */
export function findMountObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'mounting needs root on Linux';
  return spawnSync('unshare', ['--mount', 'true']).status === 0
    ? undefined
    : 'mounting is forbidden';
}

/** Mounts a disk of a megabyte or so that is gone when the test is over. */
export async function mountSmallDisk(size: string): Promise<SmallDisk> {
  const folder = await makeFolder();
  const disk = mountSmallDiskAt(folder, size);
  onTestFinished(disk.unmount);
  return disk;
}

/** Mounts such a disk on an empty folder of the caller's. */
export function mountSmallDiskAt(folder: string, size: string): SmallDisk & { unmount(): void } {
  run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'petstore-test', folder]);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill: async () => {
      // The last bytes do not go in at once: what does not fit of a chunk is refused as a whole.
      for (const chunk of [64 * 1024, 4096, 1])
        for (;;) {
          try {
            await writeFile(filler, Buffer.alloc(chunk), { flag: 'a' });
          } catch {
            break;
          }
        }
    },
    free: () => rm(filler),
    unmount: () => run('umount', ['--lazy', folder]),
    remountReadOnly: () => run('mount', ['-o', 'remount,ro', folder]),
  };
}

/** Mounts a disk with a real file system, in a file, until the test is over; undefined where this machine cannot. */
export async function mountDiskInFile(): Promise<string | undefined> {
  const folder = await makeFolder();
  const [disk, mounted] = [path.join(folder, 'disk'), path.join(folder, 'mounted')];
  await mkdir(mounted);
  try {
    run('truncate', ['-s', '16M', disk]);
    run('mkfs.ext4', ['-q', disk]);
    run('mount', ['-o', 'loop', disk, mounted]);
  } catch {
    return undefined;
  }
  onTestFinished(() => run('umount', ['--lazy', mounted]));
  return mounted;
}

function run(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}
