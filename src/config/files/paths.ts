import { homedir } from 'node:os';
import path from 'node:path';
import { resolveSetting, type Setting } from '../settings/setting.ts';
import { environmentVariables, readVariable, type Variable, type Variables } from '../variables.ts';

/** Where this machine keeps the program's files (XDG Base Directory Specification 0.8; `%APPDATA%` on Windows). */
export interface Paths {
  /** No secrets. */
  configFile: string;
  /** API keys stored with `--storage file`; beside the config file, readable by its owner only. */
  keyFile: string;
  /** Staged imports, recent categories and when a notice was last shown. */
  stateFolder: string;
  /** The service's embedded database. */
  dataFolder: string;
}

/** What to do when a file of the config folder cannot be written. */
export const configFolderAdvice = `${environmentVariables.configFolder.name} names another folder for it`;

export function findPaths(
  variables: Variables,
  platform: NodeJS.Platform = process.platform,
): Paths {
  const { stateHome, dataHome } = environmentVariables;
  const machine = { variables, platform };
  const configFolder = findConfigFolder(variables, platform).value;
  return {
    configFile: path.join(configFolder, 'config.json'),
    keyFile: path.join(configFolder, 'keys.json'),
    stateFolder: readFolder(machine, stateHome)?.value ?? findDefault(machine, '.local', 'state'),
    dataFolder: readFolder(machine, dataHome)?.value ?? findDefault(machine, '.local', 'share'),
  };
}

/** The folder of the config file by precedence. */
export function findConfigFolder(
  variables: Variables,
  platform: NodeJS.Platform = process.platform,
): Setting<string> {
  const { configFolder, configHome } = environmentVariables;
  const machine = { variables, platform };
  return resolveSetting(
    [readVariable(configFolder, variables), readFolder(machine, configHome)],
    findDefault(machine, '.config'),
  );
}

interface Machine {
  variables: Variables;
  platform: NodeJS.Platform;
}

/** Our folder in the one that a variable of XDG names. */
function readFolder({ variables, platform }: Machine, variable: Variable<string>) {
  const named = platform === 'win32' ? undefined : readVariable(variable, variables);
  return named && { ...named, value: path.join(named.value, 'petstore') };
}

/** On Windows there is one folder for everything. */
function findDefault({ variables, platform }: Machine, ...fallback: readonly string[]): string {
  const home = variables.HOME || homedir();
  const base =
    platform === 'win32'
      ? variables.APPDATA || path.join(home, 'AppData', 'Roaming')
      : path.join(home, ...fallback);
  return path.join(base, 'petstore');
}
