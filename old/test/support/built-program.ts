import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');

/** The built program of the repository. */
export const builtProgram = path.join(root, 'bin/petstore.js');

const standalone = process.env.PETSTORE_TEST_BINARY;

/** Starts petstore on Windows, where that is tested: `npm run test:windows`. */
export const windowsProgram = process.env.PETSTORE_TEST_WINDOWS;

/** Whether the standalone program is tested in place of the one that Node runs. */
export const isStandalone = standalone !== undefined;

/** Starts the service's own commands (`serve`, `keys`, `db`), which only the program on Node has. */
export const serviceCommand: readonly string[] =
  windowsProgram === undefined ? [process.execPath, builtProgram] : [windowsProgram];

/** Starts the program that is tested. */
export const builtCommand: readonly string[] =
  standalone === undefined ? serviceCommand : [path.resolve(standalone)];

/** The same for a shell. */
export const builtLine = quote(builtCommand);
export const serviceLine = quote(serviceCommand);

function quote(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

/** What starts the service's commands of another build, given its bin/petstore.js, or else of this one. */
export function serviceCommandOf(program?: string): readonly string[] {
  return program === undefined ? serviceCommand : [process.execPath, program];
}

export interface BuiltRun {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  /** Milliseconds from start to end. */
  time: number;
}

export interface BuiltOptions {
  /** The only variables beside PATH. */
  env: Record<string, string>;
  stdin?: string;
  /** The folder of an installed copy; the repository's own build unless given. */
  folder?: string;
}

/** Runs the built program as people do, in a process of its own. */
export async function runBuilt(line: string, options: BuiltOptions): Promise<BuiltRun> {
  const start = performance.now();
  const installed = options.folder && path.join(options.folder, 'bin/petstore.js');
  const [file = '', ...words] = installed ? [process.execPath, installed] : builtCommand;
  const child = spawn(file, [...words, ...line.split(' ')], {
    env: { PATH: process.env.PATH, ...options.env },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode: child.exitCode, time: performance.now() - start };
}

/** Copies the built program into a folder, without the packages it needs beside it. */
export async function installBuilt(folder: string): Promise<void> {
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(path.join(root, part), path.join(folder, part), { recursive: true });
  }
}
