import { fileURLToPath } from 'node:url';
import { commands } from './commands/index.ts';
import type { Interruption } from './program/context/context.ts';
import { runProgram } from './program/run-program.ts';
import { createProcessOutput } from './terminal/process-output.ts';

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
  const script = new URL('./config/keys/keychain-child.cjs', import.meta.url);
  return { file: process.execPath, args: [fileURLToPath(script)] };
}

const output = createProcessOutput(interruption.signal);

const ended = runProgram(process.argv.slice(2), commands, {
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
  openKeychain: async (input) => {
    const { createKeychain } = await import('./config/keys/keychain.ts');
    return createKeychain({ ...input, child: describeKeychainChild() });
  },
});

// No top-level await: the bundle is CommonJS, which loads faster.
void ended.then((exitCode) => {
  process.exitCode = exitCode;
});
