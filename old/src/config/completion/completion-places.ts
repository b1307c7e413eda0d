import { homedir } from 'node:os';
import path from 'node:path';
import type { Paths } from '../files/paths.ts';
import { environmentVariables, readVariable, type Variables } from '../variables.ts';

/** Where the completion of a shell is kept. */
export interface CompletionPlace {
  script: string;
  /** The line that loads it, in a file that the shell reads at its start; fish finds the script by itself. */
  start?: { shell: string; file: string; line: string };
}

interface PlaceInput {
  variables: Variables;
  paths: Paths;
  platform?: NodeJS.Platform;
}

/** Finds the place of each shell's completion. */
export const completionPlaces = {
  bash: ({ variables, paths }: PlaceInput) =>
    withStart('bash', path.join(paths.dataFolder, 'completion.bash'), {
      file: path.join(findHome(variables), '.bashrc'),
      line: (script) => `[ -r ${script} ] && . ${script}`,
    }),
  zsh: ({ variables, paths }: PlaceInput) =>
    withStart('zsh', path.join(paths.dataFolder, 'completion.zsh'), {
      file: path.join(variables.ZDOTDIR || findHome(variables), '.zshrc'),
      line: (script) =>
        `[ -r ${script} ] && { (( $+functions[compdef] )) || { autoload -Uz compinit; compinit }; . ${script} }`,
    }),
  fish: ({ variables }: PlaceInput): CompletionPlace => ({
    script: path.join(findConfigHome(variables), 'fish', 'completions', 'petstore.fish'),
  }),
  powershell: ({ variables, paths, platform = process.platform }: PlaceInput) =>
    withStart('powershell', path.join(paths.dataFolder, 'completion.ps1'), {
      file:
        platform === 'win32'
          ? findWindowsProfile(variables)
          : path.join(findConfigHome(variables), 'powershell', 'profile.ps1'),
      line: (script) => `if (Test-Path ${script}) { . ${script} }`,
    }),
};

function withStart(
  shell: keyof typeof completionPlaces,
  script: string,
  { file, line }: { file: string; line(script: string): string },
): CompletionPlace {
  const escaped = shell === 'powershell' ? "''" : "'\\''";
  return { script, start: { shell, file, line: line(`'${script.replaceAll("'", escaped)}'`) } };
}

/**
 * PowerShell puts the person's own folder of modules first, whose parent has the profile: another one in PowerShell 5.1
 * than in 7, and not always below the home folder.
 */
function findWindowsProfile({ PSModulePath = '', USERPROFILE }: Variables): string {
  const home = USERPROFILE ?? homedir();
  const [modules = ''] = PSModulePath.split(';');
  const isOwn = modules.startsWith(home) && /\\(Windows)?PowerShell\\Modules$/i.test(modules);
  const fallback = path.win32.join(home, 'Documents', 'PowerShell');
  return path.win32.join(isOwn ? path.win32.dirname(modules) : fallback, 'profile.ps1');
}

function findHome(variables: Variables): string {
  return variables.HOME || homedir();
}

function findConfigHome(variables: Variables): string {
  const named = readVariable(environmentVariables.configHome, variables)?.value;
  return named ?? path.join(findHome(variables), '.config');
}
