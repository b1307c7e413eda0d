// The composition root of the standalone program: src/run.ts with bun's streams.

import type { ChildCommand, KeychainProcess } from '../src/config/keys/keychain-process.ts';
import { runProgram } from '../src/program/run-program.ts';
import { watchSignals } from '../src/program/watch-signals.ts';
import { createProcessOutput } from '../src/terminal/process-output.ts';
import type { InputStream } from '../src/terminal/terminal.ts';
import { openInput } from './open-input.ts';
import { standaloneCommands } from './standalone-commands.ts';

/** Code that runs once has run by then; after it, machine code is worth its cost. In milliseconds. */
const WARM_UP_MS = 200;

/** The little of bun's types that is used here. */
declare const Bun: { unsafe: { setJITPolicy(scale: number): void } };

export async function run(
  argv: readonly string[],
  child: ChildCommand,
  started: KeychainProcess | undefined,
): Promise<number> {
  const signals = watchSignals((exitCode) => process.exit(exitCode));
  setTimeout(() => Bun.unsafe.setJITPolicy(1), WARM_UP_MS).unref();
  const output = createProcessOutput(signals.signal);
  let stdin: InputStream | undefined;
  const exitCode = await runProgram(argv, standaloneCommands, {
    get stdin() {
      stdin ??= openInput();
      return stdin;
    },
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    variables: process.env,
    clock: () => new Date(),
    ...signals,
    openKeychain: async (input) => {
      const { createKeychain } = await import('../src/config/keys/keychain.ts');
      return createKeychain({ ...input, child, started });
    },
    forgoKeychain: () => started?.end(),
  });
  started?.end();
  return exitCode;
}
