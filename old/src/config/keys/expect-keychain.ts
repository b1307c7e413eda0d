import { readOwnFile } from '../../files/read-own-file.ts';
import { findPaths } from '../files/paths.ts';
import { environmentVariables, listKeyValues, readVariable, type Variables } from '../variables.ts';

/** With these words a command ends before it needs a key. */
const keyless = ['--help', '-h', '--version', '-V', '--dry-run'];

/**
 * Whether this line will read a key from the keychain, as far as its words, the variables and a glance at the config file
 * say. A wrong guess costs a process that is ended again, or the time that an early one would have saved; nothing more.
 * @param commands the first words of lines that need a key.
 */
export function expectsKeychain(
  argv: readonly string[],
  variables: Variables,
  commands: readonly string[],
): boolean {
  const [first = ''] = argv;
  const isCommand = (word: string) => commands.includes(word);
  // Global options may stand before the command, their values between them.
  if (!(first.startsWith('-') ? argv.some(isCommand) : isCommand(first))) return false;
  if (argv.some((word) => keyless.includes(word))) return false;
  const { keyFile } = environmentVariables;
  const isGiven = listKeyValues(variables).length > 0 || readVariable(keyFile, variables);
  return !isGiven && isKeyStored(variables);
}

/** Whether a key was stored in the keychain at all: elsewhere none will be asked for in most runs. */
function isKeyStored(variables: Variables): boolean {
  try {
    return /"storage":\s*"keychain"/.test(readOwnFile(findPaths(variables).configFile));
  } catch {
    // A command that needs the file meets the failure itself.
    return false;
  }
}
