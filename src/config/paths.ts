import type { Variables } from './variables.ts';

/** `config`: config.json and keys.json; `state`: records of imports; `data`: the database of `serve`; `cache`: compiled code. */
export type FolderKind = 'config' | 'state' | 'data' | 'cache';

/** The program's folder of this kind; undefined where nothing says where it is. @throws UserError for a relative PETSTORE_CONFIG_DIR. */
export function findFolder(_variables: Variables, _kind: FolderKind): string | undefined {
  throw new Error('not written yet');
}

/** The same for what must be written. @throws UserError `cli_file` naming the variable to set. */
export function requireFolder(_variables: Variables, _kind: FolderKind): string {
  throw new Error('not written yet');
}
