import type { ChildCommand, KeychainProcess } from '../src/config/keys/keychain-process.ts';
import { run as runCommands } from '../src/run.ts';
import { standaloneCommands } from './standalone-commands.ts';

/** Code that runs once has run by then; after it, machine code is worth its cost. In milliseconds. */
const WARM_UP_MS = 200;

/** The little of bun's types that is used here. */
declare const Bun: { unsafe: { setJITPolicy(scale: number): void } };

setTimeout(() => Bun.unsafe.setJITPolicy(1), WARM_UP_MS).unref();

export function run(
  argv: readonly string[],
  child: ChildCommand,
  started: KeychainProcess | undefined,
): Promise<number> {
  return runCommands(argv, child, started, standaloneCommands);
}
