import { keyCommands } from './commands/key-commands.ts';
import { expectsKeychain } from './config/keys/expect-keychain.ts';
import type { ChildCommand, KeychainProcess } from './config/keys/keychain-process.ts';
import { environmentVariables, readVariable } from './config/variables.ts';
import { readOwnFile } from './files/read-own-file.ts';
import { printAtOnce } from './terminal/print-at-once.ts';
import { mayBeTerminal } from './terminal/process-output.ts';
import { version } from './version.ts';

/** The program itself, which takes long to load. */
type Run = (
  argv: readonly string[],
  child: ChildCommand,
  started: KeychainProcess | undefined,
) => Promise<number>;

interface StartInput {
  argv: readonly string[];
  /** How the keychain is read. */
  child: ChildCommand;
  /** The help as it was written when the program was built, if it was. */
  helpFile?: string;
  load(): Promise<{ run: Run }>;
}

/** What cannot wait until the program is loaded; hence this file imports little. */
export async function start({ argv, child, helpFile, load }: StartInput): Promise<void> {
  const text = findText(argv, helpFile);
  if (text !== undefined && printAtOnce(text)) return;
  const started = await startKeychain(argv, child);
  const { run } = await load();
  process.exitCode = await run(argv, child, started);
}

/** What this line prints, where that was known when the program was built: no terminal and no variable sets its width. */
function findText([word, ...others]: readonly string[], helpFile = ''): string | undefined {
  if (others.length > 0) return undefined;
  if (word === '--version' || word === '-V') return `${version}\n`;
  if (word !== '--help' && word !== '-h') return undefined;
  if (readVariable(environmentVariables.columns, process.env) || mayBeTerminal(1)) return undefined;
  try {
    return readOwnFile(helpFile);
  } catch {
    // The sources and the standalone program have none.
    return undefined;
  }
}

/** The keychain is read by another process, which starts while this one loads the program. */
async function startKeychain(argv: readonly string[], child: ChildCommand) {
  if (!expectsKeychain(argv, process.env, keyCommands)) return undefined;
  const { startKeychainProcess } = await import('./config/keys/keychain-process.ts');
  try {
    return startKeychainProcess(child, process.env);
  } catch {
    // Too many processes or open files, for one: it is started again, and reported, when it is needed.
    return undefined;
  }
}
