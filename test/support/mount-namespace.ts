import { spawnSync } from 'node:child_process';

/** Words before a program that give it mounts of its own, which nobody else sees: in there anybody may mount. */
export const ownMounts = ['unshare', '--map-root-user', '--mount'] as const;

/** Whether this system allows that to whoever runs the tests; most containers do not. */
export function canMount(): boolean {
  const [file, ...words] = ownMounts;
  const tried = spawnSync(file, [...words, 'mount', '-t', 'tmpfs', 'petstore-test', '/mnt']);
  return tried.status === 0;
}
