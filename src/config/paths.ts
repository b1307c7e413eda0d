import { homedir } from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { createFolders } from '../files.ts';
import type { Variables } from './variables.ts';

/** `config`: config.json and keys.json; `state`: records of imports; `data`: the database of `serve`; `cache`: compiled code. */
export type FolderKind = 'config' | 'state' | 'data' | 'cache';

/** Per kind: the variable (XDG Base Directory Specification 0.8), and the usual folders below HOME and on Windows. */
const places = {
  config: ['XDG_CONFIG_HOME', '.config', 'APPDATA'],
  state: ['XDG_STATE_HOME', '.local/state', 'LOCALAPPDATA'],
  data: ['XDG_DATA_HOME', '.local/share', 'LOCALAPPDATA'],
  cache: ['XDG_CACHE_HOME', '.cache', 'LOCALAPPDATA'],
} as const;

const isWindows = process.platform === 'win32';

export function findFolder(variables: Variables, kind: FolderKind): string | undefined {
  const { PETSTORE_CONFIG_DIR } = variables;
  if (kind === 'config' && PETSTORE_CONFIG_DIR)
    return requireFullPath(expandHome(PETSTORE_CONFIG_DIR, variables));
  const [variable, usual, windows] = places[kind];
  const home = findHome(variables);
  const candidates = [
    variables[variable],
    isWindows ? variables[windows] : undefined,
    home && path.join(home, usual),
  ];
  // The specification says to ignore a relative path.
  const parent = candidates.find((candidate) => candidate && path.isAbsolute(candidate));
  return parent && path.join(parent, 'petstore');
}

/** The same folder, created where it is missing. @throws UserError `cli_file` naming the variable to set. */
export async function createFolder(variables: Variables, kind: FolderKind): Promise<string> {
  const folder = findFolder(variables, kind);
  if (folder === undefined) {
    throw new UserError('cli_file', 'There is no folder for the files of petstore.', {
      details: [describeMissingFolder(kind)],
    });
  }
  try {
    createFolders(folder);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const message = `The folder ${folder} cannot be created: ${messageOf(cause)}.`;
    throw new UserError('cli_file', message, { details: [describeFolderChoice(kind)], cause });
  }
  return folder;
}

export function describeFolderChoice(kind: FolderKind): string {
  return `${variableOf(kind)} names another folder`;
}

export function describeMissingFolder(kind: FolderKind): string {
  const home = isWindows ? 'USERPROFILE' : 'HOME';
  return `${home} is not set; set ${home}, or ${variableOf(kind)} to a folder of your own`;
}

function variableOf(kind: FolderKind): string {
  const [variable, , windows] = places[kind];
  return kind === 'config' ? 'PETSTORE_CONFIG_DIR' : isWindows ? windows : variable;
}

/** A path from a variable; a shell expands `~` only where it stands unquoted. */
export function expandHome(given: string, variables: Variables): string {
  const [start, rest = ''] = /^~(?:[/\\](.*))?$/s.exec(given) ?? [];
  const home = start === undefined ? undefined : findHome(variables);
  return home ? path.join(home, rest) : given;
}

function requireFullPath(folder: string): string {
  if (path.isAbsolute(folder)) return folder;
  throw new UserError('cli_invalid_config', `PETSTORE_CONFIG_DIR is not a full path: ${folder}.`, {
    details: ['it would name another folder from every place where petstore is run'],
  });
}

function findHome({ HOME, USERPROFILE }: Variables): string | undefined {
  try {
    return (isWindows ? USERPROFILE : HOME) || homedir();
  } catch {
    return undefined;
  }
}
