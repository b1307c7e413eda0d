import { commands } from './commands/index.ts';
import type { ChildCommand, KeychainProcess } from './config/keys/keychain-process.ts';
import type { CommandEntry } from './program/command.ts';
import { runProgram } from './program/run-program.ts';
import { watchSignals } from './program/watch-signals.ts';
import { createProcessOutput } from './terminal/process-output.ts';

/**
 * Runs a command line on the real process and returns its exit code: the composition root, of the npm package and of the
 * standalone program.
 * @param child how the keychain is read.
 * @param started a child that was started ahead, which is ended when it turns out not to be needed.
 */
export async function run(
  argv: readonly string[],
  child: ChildCommand,
  started: KeychainProcess | undefined,
  knownCommands: readonly CommandEntry[] = commands,
): Promise<number> {
  const signals = watchSignals((exitCode) => process.exit(exitCode));
  const output = createProcessOutput(signals.signal);
  const exitCode = await runProgram(argv, knownCommands, {
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
    ...signals,
    openKeychain: async (input) => {
      const { createKeychain } = await import('./config/keys/keychain.ts');
      return createKeychain({ ...input, child, started });
    },
    forgoKeychain: () => started?.end(),
  });
  started?.end();
  return exitCode;
}
