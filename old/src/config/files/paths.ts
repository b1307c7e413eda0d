import { homedir } from 'node:os';
import path from 'node:path';
import { type Candidate, resolveSetting, type Setting } from '../settings/setting.ts';
import { environmentVariables, readVariable, type Variable, type Variables } from '../variables.ts';

/**
 * Where this machine keeps the program's files (XDG Base Directory Specification 0.8). On Windows the config file and the
 * keys follow the person to other machines (`%APPDATA%`); the rest belongs to this one (`%LOCALAPPDATA%`).
 */
export interface Paths {
  /** No secrets. */
  configFile: string;
  /** API keys stored with `--storage file`; beside the config file, readable by its owner only. */
  keyFile: string;
  /** Staged imports, the history and when a notice was last shown. */
  stateFolder: string;
  /** The service's embedded database. */
  dataFolder: string;
}

/** What to do when a file of the config folder cannot be written. */
export const configFolderAdvice = `${environmentVariables.configFolder.name} names another folder for it`;

const CONFIG = '.config';

export function findPaths(variables: Variables, platform = process.platform): Paths {
  const { stateHome, dataHome } = environmentVariables;
  const configFolder = findConfigFolder(variables, platform).value;
  const find = (variable: Variable<string>, fallback: string) =>
    readFolder(variables, platform, variable)?.value ?? findDefault(variables, platform, fallback);
  return {
    configFile: path.join(configFolder, 'config.json'),
    keyFile: path.join(configFolder, 'keys.json'),
    stateFolder: find(stateHome, '.local/state'),
    dataFolder: find(dataHome, '.local/share'),
  };
}

/** The folder of the config file by precedence. */
export function findConfigFolder(
  variables: Variables,
  platform = process.platform,
): Setting<string> {
  const { configFolder, configHome } = environmentVariables;
  return resolveSetting(
    [readVariable(configFolder, variables), readFolder(variables, platform, configHome)],
    findDefault(variables, platform, CONFIG),
  );
}

/** Our folder in the one that a variable of XDG names. */
function readFolder(
  variables: Variables,
  platform: NodeJS.Platform,
  variable: Variable<string>,
): Candidate<string> | undefined {
  const named = platform === 'win32' ? undefined : readVariable(variable, variables);
  return named && { ...named, value: path.join(named.value, 'petstore') };
}

function findDefault(variables: Variables, platform: NodeJS.Platform, fallback: string): string {
  return platform === 'win32'
    ? findWindowsDefault(variables, fallback === CONFIG)
    : path.join(variables.HOME || homedir(), fallback, 'petstore');
}

function findWindowsDefault({ APPDATA, LOCALAPPDATA }: Variables, isRoaming: boolean): string {
  const base = isRoaming ? APPDATA : LOCALAPPDATA;
  const folder = base || path.join(homedir(), 'AppData', isRoaming ? 'Roaming' : 'Local');
  return path.join(folder, 'petstore');
}
