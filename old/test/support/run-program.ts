import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import type { Keychain } from '../../src/config/keys/keychain.ts';
import type { CommandEntry } from '../../src/program/command.ts';
import type { Host } from '../../src/program/context/context.ts';
import { runProgram } from '../../src/program/run-program.ts';
import { createFakeKeychain } from './fake-keychain.ts';

export interface RunOptions extends Partial<Pick<Host, 'prompt' | 'signal'>> {
  /** An empty one unless given. */
  keychain?: Keychain;
  /** Variables; HOME and the XDG folders always point into a folder of this run's own unless given. */
  env?: Record<string, string>;
  /** Streams that say they are terminals, 80 columns wide. False, a pipe, unless given. */
  tty?: boolean;
  /** What stdin holds; it is closed after it. */
  stdin?: string;
  /** Called whenever the program opens stdin, which takes Node long. */
  onStdin?(): void;
  /** The time, fixed unless a function says it. */
  clock?: Date | (() => Date);
  /** Called for what is written to either stream, in its order. */
  onOutput?(text: string): void;
  columns?: number;
  /** Whether stdout fails as one on a full disk does. */
  failWrites?: boolean;
  /** Another edition's list of commands. */
  commands?: readonly CommandEntry[];
}

export interface RunResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs the real program in this process with its own streams, variables and folders. */
export async function runPetstore(
  argv: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { tty = false, columns = 80 } = options;
  const { onOutput } = options;
  const stdout = collect(tty, columns, onOutput, options.failWrites);
  const stderr = collect(tty, columns, onOutput);
  const stdin = Object.assign(new PassThrough(), { isTTY: tty });
  stdin.end(options.stdin ?? '');
  const exitCode = await runProgram(argv, options.commands ?? commands, {
    get stdin() {
      options.onStdin?.();
      return stdin;
    },
    stdout: stdout.stream,
    stderr: stderr.stream,
    variables: { HOME: await createHome(), TERM: 'xterm', NO_COLOR: '1', ...options.env },
    clock: () =>
      typeof options.clock === 'function' ? options.clock() : (options.clock ?? new Date()),
    signal: options.signal ?? new AbortController().signal,
    handleHangup: () => () => {},
    ...(options.prompt && { prompt: options.prompt }),
    openKeychain: async () => options.keychain ?? createFakeKeychain(),
  });
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode };
}

/** A home folder that is gone when the test is over. */
export async function createHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'petstore-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

function collect(isTTY: boolean, columns: number, onOutput: RunOptions['onOutput'], fails = false) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      onOutput?.(chunk.toString());
      if (!fails) chunks.push(chunk);
      done(fails ? Object.assign(new Error('no space left'), { code: 'ENOSPC' }) : null);
    },
  });
  return {
    stream: Object.assign(stream, isTTY ? { isTTY, columns } : {}),
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}
