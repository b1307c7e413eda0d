import { homedir } from 'node:os';
import path from 'node:path';

/** The environment variables of a process, handed in so that only `main.ts` touches the real ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where this machine keeps the program's files (XDG Base Directory Specification 0.8; `%APPDATA%` on Windows). */
export interface Paths {
  /** No secrets. `PETSTORE_CONFIG_DIR` wins over the platform's place. */
  configFile: string;
  /** API keys kept with `--storage file`; beside the config file, readable by its owner only. */
  keyFile: string;
  /** Staged imports, recent categories and when a notice was last shown. */
  stateFolder: string;
  /** The service's embedded database. */
  dataFolder: string;
}

export function findPaths(
  variables: Variables,
  platform: NodeJS.Platform = process.platform,
): Paths {
  const home = variables.HOME || homedir();
  const appData = variables.APPDATA || path.join(home, 'AppData', 'Roaming');
  const place = (variable: string, ...fallback: string[]) => {
    if (platform === 'win32') return path.join(appData, 'petstore');
    const chosen = variables[variable];
    // A relative path in an XDG variable is invalid and to be ignored (same specification).
    const base = chosen && path.isAbsolute(chosen) ? chosen : path.join(home, ...fallback);
    return path.join(base, 'petstore');
  };
  const configFolder = variables.PETSTORE_CONFIG_DIR || place('XDG_CONFIG_HOME', '.config');
  return {
    configFile: path.join(configFolder, 'config.json'),
    keyFile: path.join(configFolder, 'keys.json'),
    stateFolder: place('XDG_STATE_HOME', '.local', 'state'),
    dataFolder: place('XDG_DATA_HOME', '.local', 'share'),
  };
}
