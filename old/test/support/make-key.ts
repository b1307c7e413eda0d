import { spawnSync } from 'node:child_process';
import { serviceCommandOf } from './built-program.ts';
import { sharedCache } from './shared-cache.ts';

/**
 * Creates a database, where there is none, and a key in it, by the built program: in a process of its own,
 * after whose end no file of the database is open in this one.
 */
export function makeKey(database: string, program?: string): string {
  return createKey('test', { database, program });
}

/** Creates a key and revokes it. */
export function makeRevokedKey(database: string, program?: string): string {
  const key = createKey('revoked', { database, program });
  const listed = runKeys(['list', '--csv'], { database, program });
  const [, id = ''] = /^(\d+),revoked/m.exec(listed) ?? [];
  runKeys(['revoke', id], { database, program });
  return key;
}

interface Target {
  database: string;
  /** An older one, to compare with, has no --new and creates what it needs. */
  program: string | undefined;
}

function createKey(name: string, target: Target): string {
  const words = ['create', '--name', name];
  try {
    return runKeys([...words, '--new'], target);
  } catch (error) {
    if (target.program === undefined) throw error;
    return runKeys(words, target);
  }
}

function runKeys(words: readonly string[], { database, program }: Target): string {
  const [file = '', ...start] = serviceCommandOf(program);
  const { stdout, stderr, status } = spawnSync(file, [...start, 'keys', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...sharedCache, PETSTORE_SERVE_DATABASE: database },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
