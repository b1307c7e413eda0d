import { expect, it } from 'vitest';
import { completionPlaces } from '../../src/config/completion/completion-places.ts';
import { findPaths } from '../../src/config/files/paths.ts';

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
])('the profile of PowerShell, typed in %s', (_, own, folder) => {
  const variables = { USERPROFILE: home, PSModulePath: `${own};${everybodys}` };
  const paths = findPaths(variables, 'win32');
  const { start } = completionPlaces.powershell({ variables, paths, platform: 'win32' });
  expect(start?.file).toBe(`${home}\\${folder}\\profile.ps1`);
});
