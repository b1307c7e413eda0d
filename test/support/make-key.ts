import { spawnSync } from 'node:child_process';
import { serviceCommand } from './built-program.ts';

/**
 * Creates a database, where there is none, and a key in it, by the built program: in a process of its own,
 * after whose end no file of the database is open in this one.
 */
export function makeKey(database: string): string {
  const words = ['keys', 'create', '--name', 'test', '--database', database];
  const [file = '', ...start] = serviceCommand;
  const { stdout, stderr } = spawnSync(file, [...start, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  if (stdout === '') throw new Error(stderr);
  return stdout.trim();
}
