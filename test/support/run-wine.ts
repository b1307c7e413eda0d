import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createTemporaryFolder } from './temporary-folder.ts';

/** What `scripts/test-windows.ts` prepared: Wine's prefix, and the programs. */
const folder = process.env.PETSTORE_TEST_WINE ?? '';
const programs = path.join(folder, 'programs');

/** The two ways to have petstore on Windows, as words before its own. */
export const windowsPrograms = {
  'npm package': [
    path.join(programs, 'node.exe'),
    toWindows(path.join(folder, 'node_modules/petstore-cli/bin/petstore.js')),
  ],
  'petstore.exe': [path.join(programs, 'petstore.exe')],
} as const satisfies Record<string, readonly string[]>;

const { WINEPREFIX = '', WINEDEBUG = '' } = process.env;

/** What Wine and its programs need. */
export const wineVariables = {
  WINEPREFIX,
  WINEDEBUG,
  NODE_OPTIONS: `--require=Z:${programs}/keep-alive.cjs`,
};

export interface WineOptions {
  /** The current folder. */
  readonly home: string;
  readonly stdin?: string | Uint8Array | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export interface WineProcess {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly ended: Promise<{ stdout: string; stderr: string; exitCode: number | null }>;
}

/** A path of this computer, as Wine's programs know it. */
export function toWindows(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`;
}

/** Starts a program of Windows. Its streams are files: pipes of Linux are none to it. */
export async function startWine(
  words: readonly string[],
  { home, stdin = '', variables }: WineOptions,
): Promise<WineProcess> {
  const streams = await createTemporaryFolder();
  const file = (name: string) => path.join(streams, name);
  writeFileSync(file('0'), stdin);
  const stdio = [openSync(file('0'), 'r'), openSync(file('1'), 'w'), openSync(file('2'), 'w')];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANG: 'C.UTF-8', TZ: 'UTC', ...wineVariables, ...variables };
  const child = spawn('wine', words, { cwd: home, env, stdio });
  for (const descriptor of stdio) closeSync(descriptor);
  const read = (name: string) => readFileSync(file(name), 'utf8');
  const ended = once(child, 'exit').then(() => ({
    ...{ stdout: read('1'), stderr: read('2'), exitCode: child.exitCode },
  }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, stderr: () => read('2'), ended };
}

/** Runs it to its end. */
export async function runWine(words: readonly string[], options: WineOptions) {
  return await (await startWine(words, options)).ended;
}
