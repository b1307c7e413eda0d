import { fileURLToPath } from 'node:url';
import { commands } from './commands/index.ts';
import { runProgram } from './program/run-program.ts';
import { watchSignals } from './program/watch-signals.ts';
import { createProcessOutput } from './terminal/process-output.ts';

/** Beside this file in the sources and in the bundle alike. */
function describeKeychainChild() {
  const script = new URL('./config/keys/keychain-child.cjs', import.meta.url);
  return { file: process.execPath, args: [fileURLToPath(script)] };
}

const signals = watchSignals((exitCode) => process.exit(exitCode));
const output = createProcessOutput(signals.signal);

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
  ...signals,
  openKeychain: async (input) => {
    const { createKeychain } = await import('./config/keys/keychain.ts');
    return createKeychain({ ...input, child: describeKeychainChild() });
  },
});

// No top-level await: the bundle is CommonJS, which loads faster.
void ended.then((exitCode) => {
  process.exitCode = exitCode;
});
