import { fileURLToPath } from 'node:url';
import type { Interruption } from './commands/edges.ts';
import { runProgram } from './commands/run-program.ts';
import { createKeychain } from './config/keychain.ts';
import { createOutput } from './open-output.ts';

const interruption = new AbortController();

/** The first signal lets the command finish what is in flight; the second ends the program at once. */
function interrupt(signal: Interruption['signal'], exitCode: number): void {
  if (interruption.signal.aborted) process.exit(exitCode);
  interruption.abort({ signal } satisfies Interruption);
}

process.on('SIGINT', () => interrupt('SIGINT', 130));
process.on('SIGTERM', () => interrupt('SIGTERM', 143));

/** Beside this file in the sources and in the bundle alike. */
function describeKeychainChild() {
  const script = new URL('./config/keychain-child.cjs', import.meta.url);
  return { file: process.execPath, args: [fileURLToPath(script)] };
}

const output = createOutput(interruption.signal);

const ended = runProgram(process.argv.slice(2), {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return output.stdout;
  },
  get stderr() {
    return output.stderr;
  },
  variables: process.env,
  clock: () => new Date(),
  signal: interruption.signal,
  openKeychain: (input) => createKeychain({ ...input, child: describeKeychainChild() }),
});

// No top-level await: the bundle is CommonJS, which loads faster.
void ended.then((exitCode) => {
  process.exitCode = exitCode;
});
