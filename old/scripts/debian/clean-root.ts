import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** A fresh Debian of its own in a folder. */
export interface CleanRoot {
  /** Copies a file into it. */
  add(file: string, name: string): void;
  /** Runs a shell line in it and returns its output. @throws with its stderr when it fails. */
  run(line: string, env?: Record<string, string>): string;
  /** Its files and packages, apart from what apt and dpkg cache and log. */
  list(): readonly string[];
}

const unlisted = ['./proc', './sys', './tmp', './var/cache', './var/log', './var/lib/apt'];

/**
 * Installs a minimal Debian into a folder, as root.
 * @param shared a folder of this machine that it sees at the same path, for the socket of a session bus.
 */
export function installCleanRoot(folder: string, shared: string): CleanRoot {
  const words = ['--variant=minbase', 'bookworm', folder, 'http://deb.debian.org/debian'];
  execFileSync('debootstrap', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(path.join(folder, shared), { recursive: true });
  // In a mount namespace of its own, so that no mount is left behind.
  const mounts = `mount -t proc proc "$1/proc" && mount --bind "$2" "$1$2"`;
  const enter = `${mounts} && exec chroot "$1" /bin/sh -c "$3"`;
  const run = (line: string, env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--mount', 'sh', '-c', enter, 'sh', folder, shared, line],
      { encoding: 'utf8', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...env } },
    );
    if (status !== 0) throw new Error(`${line}: exit ${status}\n${stdout}${stderr}`);
    return stdout;
  };
  const pruned = unlisted.map((name) => `-path ${name}`).join(' -o ');
  const find = `cd / && find . \\( ${pruned} \\) -prune -o -print; dpkg-query --show`;
  return {
    add: (file, name) => cpSync(file, path.join(folder, name)),
    run,
    list: () =>
      run(find)
        .split('\n')
        .filter((line) => !isBookkeeping(line)),
  };
}

/** dpkg keeps its previous state beside the present one, and ldconfig a cache. */
function isBookkeeping(line: string): boolean {
  return /^\.\/(var\/lib\/dpkg\/.*-(old|new)|etc\/ld\.so\.cache)$/.test(line);
}
