import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  configFolderAdvice,
  findConfigFolder,
  findPaths,
} from '../../../src/config/files/paths.ts';

const HOME = '/home/ann';

describe('where files are', () => {
  it('below the home folder, unless XDG says otherwise', () => {
    expect(findPaths({ HOME }, 'linux')).toEqual({
      configFile: '/home/ann/.config/petstore/config.json',
      keyFile: '/home/ann/.config/petstore/keys.json',
      stateFolder: '/home/ann/.local/state/petstore',
      dataFolder: '/home/ann/.local/share/petstore',
    });
    const xdg = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_DATA_HOME: 'relative' };
    expect(findPaths({ HOME, ...xdg }, 'linux')).toEqual({
      configFile: '/c/petstore/config.json',
      keyFile: '/c/petstore/keys.json',
      stateFolder: '/s/petstore',
      dataFolder: '/home/ann/.local/share/petstore',
    });
  });

  it('in the two folders of Windows, where XDG does not count', () => {
    const variables = { APPDATA: '/roaming', LOCALAPPDATA: '/local', HOME };
    const xdg = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_DATA_HOME: '/d' };
    expect(findPaths({ ...variables, ...xdg }, 'win32')).toEqual({
      configFile: '/roaming/petstore/config.json',
      keyFile: '/roaming/petstore/keys.json',
      stateFolder: '/local/petstore',
      dataFolder: '/local/petstore',
    });
  });
});

it('the folder of the config file is explained by precedence', () => {
  const variables = { HOME, PETSTORE_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/c' };
  expect(findConfigFolder(variables, 'linux')).toEqual({
    value: '/own',
    source: { kind: 'variable', name: 'PETSTORE_CONFIG_DIR' },
    overridden: [
      { value: '/c/petstore', source: { kind: 'variable', name: 'XDG_CONFIG_HOME' } },
      { value: '/home/ann/.config/petstore', source: { kind: 'default' } },
    ],
  });
});

it('without HOME it is the home folder of the user, and without APPDATA and LOCALAPPDATA those they stand for', () => {
  const inHome = (...parts: string[]) => path.join(homedir(), ...parts, 'petstore');
  for (const variables of [{}, { HOME: '', APPDATA: '' }]) {
    expect(findPaths(variables, 'linux')).toMatchObject({
      stateFolder: inHome('.local', 'state'),
      dataFolder: inHome('.local', 'share'),
    });
    expect(findPaths(variables, 'win32')).toEqual({
      configFile: path.join(inHome('AppData', 'Roaming'), 'config.json'),
      keyFile: path.join(inHome('AppData', 'Roaming'), 'keys.json'),
      stateFolder: inHome('AppData', 'Local'),
      dataFolder: inHome('AppData', 'Local'),
    });
  }
});

it('a folder for the config file is named by a variable', () => {
  expect(findPaths({ HOME, PETSTORE_CONFIG_DIR: '/own' }, 'win32').configFile).toBe(
    '/own/config.json',
  );
  expect(findPaths({ HOME, XDG_DATA_HOME: '/d' }, 'linux').dataFolder).toBe('/d/petstore');
  expect(configFolderAdvice).toBe('PETSTORE_CONFIG_DIR names another folder for it');
});
