import { spawnSync } from 'node:child_process';
import { builtProgram } from './serve-process.ts';

/**
 * Makes a database, where there is none, and a key in it, by the built program: in a process of its own,
 * after whose end no file of the database is open in this one.
 */
export function makeKey(database: string): string {
  const words = ['keys', 'create', '--name', 'test', '--database', database];
  const { stdout, stderr } = spawnSync(process.execPath, [builtProgram(), ...words], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return stdout.trim();
}
