import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import type { Variables } from './variables.ts';

/** `config`: config.json and keys.json; `state`: records of imports; `data`: the database of `serve`. */
export type FolderKind = 'config' | 'state' | 'data';

/** Per kind: the variable (XDG Base Directory Specification 0.8), and the usual folders below HOME and on Windows. */
const places = {
  config: ['XDG_CONFIG_HOME', '.config', 'APPDATA'],
  state: ['XDG_STATE_HOME', '.local/state', 'LOCALAPPDATA'],
  data: ['XDG_DATA_HOME', '.local/share', 'LOCALAPPDATA'],
} as const;

/** The program's folder of this kind; undefined where nothing says where it is. @throws UserError for a relative PETSTORE_CONFIG_DIR. */
export function findFolder(variables: Variables, kind: FolderKind): string | undefined {
  const { PETSTORE_CONFIG_DIR } = variables;
  if (kind === 'config' && PETSTORE_CONFIG_DIR)
    return requireFullPath(expandHome(PETSTORE_CONFIG_DIR, variables));
  const [variable, usual, windows] = places[kind];
  const home = findHome(variables);
  const candidates = [
    variables[variable],
    process.platform === 'win32' ? variables[windows] : undefined,
    home && path.join(home, usual),
  ];
  // The specification says to ignore a relative path.
  const parent = candidates.find((candidate) => candidate && path.isAbsolute(candidate));
  return parent && path.join(parent, 'petstore');
}

/** The same folder, created where it is missing. @throws UserError `cli_file` naming the variable to set. */
export async function createFolder(variables: Variables, kind: FolderKind): Promise<string> {
  const folder = findFolder(variables, kind);
  const variable = variableOf(kind);
  if (folder === undefined) {
    throw new UserError('cli_file', 'There is no folder for the files of petstore.', {
      details: [`HOME is not set; set HOME, or ${variable} to a folder of your own`],
    });
  }
  try {
    await createWithParents(folder);
  } catch (cause) {
    throw new UserError(
      'cli_file',
      `The folder ${folder} cannot be created: ${messageOf(cause)}.`,
      {
        details: [describeChoice(kind)],
        cause,
      },
    );
  }
  return folder;
}

/** What to do about a folder that cannot be written. */
export function describeChoice(kind: FolderKind): string {
  return `${variableOf(kind)} names another folder`;
}

function variableOf(kind: FolderKind): string {
  return kind === 'config' ? 'PETSTORE_CONFIG_DIR' : places[kind][0];
}

/** Not by mkdir's own `recursive`, which reports a read-only file system as a missing folder. */
async function createWithParents(folder: string): Promise<void> {
  if (await createOne(folder, 'ENOENT')) return;
  await createWithParents(path.dirname(folder));
  // Below /proc a folder is still missing when the one above it is there.
  await createOne(folder);
}

/** Whether the folder is there now; false where it failed with this code. Another process may have been faster. */
async function createOne(folder: string, expected?: 'ENOENT'): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === expected) return false;
    if (code !== 'EEXIST') throw error;
  }
  return true;
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
    return (process.platform === 'win32' ? USERPROFILE : HOME) || homedir();
  } catch {
    // Without HOME, and without an entry for this user.
    return undefined;
  }
}
