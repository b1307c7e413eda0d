import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionPlaces } from '../../../src/config/completion/completion-places.ts';
import { findPaths } from '../../../src/config/files/paths.ts';
import type { Variables } from '../../../src/config/variables.ts';

const HOME = '/home/ann';
const data = '/home/ann/.local/share/petstore';
const find = (
  shell: keyof typeof completionPlaces,
  variables: Variables = { HOME },
  platform: NodeJS.Platform = 'linux',
) => completionPlaces[shell]({ variables, paths: findPaths(variables, 'linux'), platform });

describe('where the completion of a shell is', () => {
  it('bash', () => {
    expect(find('bash')).toEqual({
      script: `${data}/completion.bash`,
      start: {
        ...{ shell: 'bash', file: '/home/ann/.bashrc' },
        line: `[ -r '${data}/completion.bash' ] && . '${data}/completion.bash'`,
      },
    });
  });

  it('zsh, whose start file may lie elsewhere', () => {
    const script = `'${data}/completion.zsh'`;
    expect(find('zsh')).toEqual({
      script: `${data}/completion.zsh`,
      start: {
        ...{ shell: 'zsh', file: '/home/ann/.zshrc' },
        line: `[ -r ${script} ] && { (( $+functions[compdef] )) || { autoload -Uz compinit; compinit }; . ${script} }`,
      },
    });
    expect(find('zsh', { HOME, ZDOTDIR: '/zsh' }).start?.file).toBe('/zsh/.zshrc');
    expect(find('zsh', { HOME, ZDOTDIR: '' }).start?.file).toBe('/home/ann/.zshrc');
  });

  it('fish, which finds the script by itself', () => {
    expect(find('fish')).toEqual({
      script: '/home/ann/.config/fish/completions/petstore.fish',
    });
    expect(find('fish', { HOME, XDG_CONFIG_HOME: '/c' }).script).toBe(
      '/c/fish/completions/petstore.fish',
    );
  });

  it('PowerShell, in the documents on Windows', () => {
    expect(find('powershell')).toEqual({
      script: `${data}/completion.ps1`,
      start: {
        ...{ shell: 'powershell', file: '/home/ann/.config/powershell/profile.ps1' },
        line: `if (Test-Path '${data}/completion.ps1') { . '${data}/completion.ps1' }`,
      },
    });
    expect(find('powershell', { HOME }, 'win32').start?.file).toBe(
      path.win32.join(homedir(), 'Documents', 'PowerShell', 'profile.ps1'),
    );
  });

  it('without HOME it is in the home folder of the user', () => {
    expect(find('bash', {}).start?.file).toBe(path.join(homedir(), '.bashrc'));
    expect(find('bash', { HOME: '' }).start?.file).toBe(path.join(homedir(), '.bashrc'));
    expect(find('fish', {}).script).toBe(
      path.join(homedir(), '.config/fish/completions/petstore.fish'),
    );
  });

  it('a quotation mark in a path is quoted as the shell does', () => {
    const variables = { HOME, XDG_DATA_HOME: "/d'ata" };
    expect(find('bash', variables).start?.line).toContain(
      `. '/d'\\''ata/petstore/completion.bash'`,
    );
    expect(find('powershell', variables).start?.line).toContain(
      `. '/d''ata/petstore/completion.ps1'`,
    );
  });
});

const home = 'C:\\Users\\ann';
const everybodys = 'C:\\Program Files\\WindowsPowerShell\\Modules';

it.each([
  ['PowerShell 7', `${home}\\Documents\\PowerShell\\Modules`, 'Documents\\PowerShell'],
  [
    'PowerShell 5.1',
    `${home}\\Documents\\WindowsPowerShell\\Modules`,
    'Documents\\WindowsPowerShell',
  ],
  [
    'one that keeps documents elsewhere',
    `${home}\\OneDrive\\Dokumente\\PowerShell\\Modules`,
    'OneDrive\\Dokumente\\PowerShell',
  ],
  ['cmd.exe', everybodys, 'Documents\\PowerShell'],
  [
    'one whose folder of modules has another name',
    `${home}\\PowerShell\\Modules\\mine`,
    'Documents\\PowerShell',
  ],
])('the profile of PowerShell, typed in %s', (_, own, folder) => {
  const variables = { USERPROFILE: home, PSModulePath: `${own};${everybodys}` };
  const paths = findPaths(variables, 'win32');
  const { start } = completionPlaces.powershell({ variables, paths, platform: 'win32' });
  expect(start?.file).toBe(`${home}\\${folder}\\profile.ps1`);
});
