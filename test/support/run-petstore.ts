import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { checkNextLines } from './check-next-lines.ts';
import { runWine } from './run-wine.ts';
import { describeHome, isWindows, isWine, skipUnless, standalone } from './system.ts';
import { createTemporaryFolder } from './temporary-folder.ts';
import { waitFor } from './wait-for.ts';

/** Whether the standalone program is tested in place of the one that Node runs. */
export const isStandalone = standalone !== undefined;

/** What starts the program: built by `global-setup.ts` from the sources as they are, or the standalone program. */
export const petstoreCommand: readonly string[] = standalone
  ? [path.resolve(standalone)]
  : [process.execPath, path.join(inject('program'), 'load.cjs')];

export type TestVariables = Readonly<Record<string, string>>;

export interface RunOptions {
  /** Beside PATH and those of `isolateVariables`, which they override. */
  readonly variables?: TestVariables;
  /** What stdin holds; it is closed after it. */
  readonly stdin?: string | Uint8Array;
  /** An empty folder of its own unless given: runs that share one are one person's. */
  readonly home?: string;
  /** The current folder; `home` unless given. */
  readonly cwd?: string;
  /** Words before the program, which run it. */
  readonly before?: readonly string[];
}

export interface PetstoreRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface PetstoreProcess {
  readonly child: ChildProcess;
  /** Everything written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits until a stream has the text and returns all of it. */
  waitForText(stream: 'stdout' | 'stderr', text: string | RegExp): Promise<string>;
  readonly ended: Promise<PetstoreRun>;
}

/** A person's variables on a computer where nothing of petstore is set up and no keychain runs. */
export function isolateVariables(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    ...describeHome(home),
    // Compiled once for all tests of a run, as on a computer where petstore ran before.
    XDG_CACHE_HOME: path.join(inject('program'), 'cache'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
}

/** The variables of a person who works with one service, as the environment `staging`. */
export function connectTo({
  url,
  key = 'any-key-9f2a',
}: {
  url: string;
  key?: string;
}): TestVariables {
  return { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: key };
}

/** Runs petstore to its end, as a script would. `words` may be one line without quotes. */
export async function runPetstore(
  words: string | readonly string[],
  options: RunOptions = {},
): Promise<PetstoreRun> {
  if (isWine) return await runUnderWine(words, options);
  const started = await startPetstore(words, options);
  started.child.stdin?.end(options.stdin ?? '');
  return await started.ended;
}

async function runUnderWine(words: string | readonly string[], options: RunOptions) {
  const home = options.home ?? (await createTemporaryFolder());
  const variables = { ...isolateVariables(home), ...options.variables };
  const command = [...petstoreCommand, ...splitLine(words)];
  const { stdin } = options;
  return { signal: null, ...(await runWine(command, { home, stdin, variables })) };
}

/** Starts petstore and leaves its stdin open; the end of the test kills what still runs. */
export async function startPetstore(
  words: string | readonly string[],
  { variables, home, cwd, before = [] }: RunOptions = {},
): Promise<PetstoreProcess> {
  skipUnless(before.length === 0 || !isWindows, 'bash');
  const folder = home ?? (await createTemporaryFolder());
  const [file = '', ...first] = [...before, ...petstoreCommand];
  const child = spawn(file, [...first, ...splitLine(words)], {
    cwd: cwd ?? folder,
    env: { ...isolateVariables(folder), ...variables },
  });
  guardSignals(child);
  child.stdin.on('error', () => {});
  const stdout = collectText(child.stdout);
  const stderr = collectText(child.stderr);
  const ended = once(child, 'close').then(async () => {
    await checkNextLines(stderr());
    return {
      stdout: stdout(),
      stderr: stderr(),
      exitCode: child.exitCode,
      signal: child.signalCode,
    };
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const waitForText: PetstoreProcess['waitForText'] = (stream, text) =>
    waitFor(() => assertText(stream === 'stdout' ? stdout() : stderr(), text));
  return { child, stdout, stderr, waitForText, ended };
}

/** Windows has no signals to send: whatever is sent kills. */
function guardSignals(child: ChildProcess): void {
  const kill = child.kill.bind(child);
  child.kill = (signal) => {
    if (signal !== 'SIGKILL') skipUnless(!isWindows, 'signals');
    return kill(signal);
  };
}

/** Returns what was written when the text is in it. */
export function assertText(written: string, text: string | RegExp): string {
  const isThere = typeof text === 'string' ? written.includes(text) : text.test(written);
  if (!isThere) throw new Error(`Not there: ${text}\n${written}`);
  return written;
}

function splitLine(words: string | readonly string[]): readonly string[] {
  if (typeof words !== 'string') return words;
  return words.split(' ').filter((word) => word !== '');
}

function collectText(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  return () => chunks.join('');
}
