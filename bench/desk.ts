import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Command, cleanEnvironment, program, workFolder } from './programs.ts';

export const plainScript = path.join(import.meta.dirname, 'plain.mjs');

/** Somebody's computer: a program of ours with files of its own, and a service. */
export interface Desk {
  readonly name: string;
  readonly program: readonly string[];
  readonly url: string;
  readonly key: string;
}

export function describeDesk(desk: Pick<Desk, 'url' | 'key'>): Desk {
  return { name: 'petstore', program: [process.execPath, program], ...desk };
}

/** The folders are there, as those of a person are. */
function listVariables({ name, url }: Desk): Record<string, string> {
  const folders = ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((kind) => {
    const folder = path.join(workFolder, 'desks', name, kind.toLowerCase());
    mkdirSync(folder, { recursive: true });
    return [`XDG_${kind}_HOME`, folder];
  });
  return { ...Object.fromEntries(folders), PETSTORE_STAGING_URL: url };
}

/** A command at staging; the key is in a variable unless others say where it is. */
export function describeCommand(
  desk: Desk,
  task: string,
  words: readonly string[],
  variables: Record<string, string> = { PETSTORE_API_KEY: desk.key },
): Command {
  return {
    name: `${desk.name} ${task}`,
    words: [...desk.program, ...words],
    variables: { ...listVariables(desk), ...variables },
  };
}

/** Stores the key in the keyring as a person would. */
export function logIn(desk: Desk, keyring: Record<string, string>): void {
  const [command = '', ...words] = [...desk.program, 'login', '-e', 'staging', '--key-stdin'];
  const env = cleanEnvironment({ ...listVariables(desk), ...keyring });
  execFileSync(command, words, { input: desk.key, env, stdio: 'pipe' });
}
