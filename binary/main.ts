// The composition root of the standalone program: src/main.ts with bun's streams, and itself as the keychain's child.

import { runProgram } from '../src/program/run-program.ts';
import { watchSignals } from '../src/program/watch-signals.ts';
import { createProcessOutput } from '../src/terminal/process-output.ts';
import type { InputStream } from '../src/terminal/terminal.ts';
import { openInput } from './open-input.ts';
import { standaloneCommands } from './standalone-commands.ts';

const CHILD_MARK = '--keychain-child';

/** Code that runs once has run by then; after it, machine code is worth its cost. In milliseconds. */
const WARM_UP_MS = 200;

/** The little of bun's types that is used here. */
declare const Bun: { unsafe: { setJITPolicy(scale: number): void } };

async function run(): Promise<number> {
  const signals = watchSignals((exitCode) => process.exit(exitCode));
  setTimeout(() => Bun.unsafe.setJITPolicy(1), WARM_UP_MS).unref();
  const output = createProcessOutput(signals.signal);
  let stdin: InputStream | undefined;
  const child = { file: process.execPath, args: [CHILD_MARK] };
  return await runProgram(process.argv.slice(2), standaloneCommands, {
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
      return createKeychain({ ...input, child });
    },
  });
}

if (process.argv[2] === CHILD_MARK) {
  require('../src/config/keys/keychain-child.cjs');
} else {
  process.exitCode = await run();
}
