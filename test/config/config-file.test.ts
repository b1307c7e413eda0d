import { chmod, lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeConfig, readConfig } from '../../src/config/config-file.ts';
import { createFolder, findFolder } from '../../src/config/paths.ts';
import { canMount, ownMounts } from '../support/mount-namespace.ts';
import type { TestVariables } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

async function openFolder(text?: string) {
  const folder = await createTemporaryFolder();
  const file = path.join(folder, 'config.json');
  if (text !== undefined) await writeFile(file, text);
  return { folder, file, variables: { PETSTORE_CONFIG_DIR: folder } };
}

const select = (environment: string) => (config: object) => ({ ...config, environment });

describe('config.json', () => {
  it('that is missing counts as empty, and is created with its folders', async () => {
    const { folder } = await openFolder();
    const variables = { PETSTORE_CONFIG_DIR: path.join(folder, 'a/b') };
    expect(readConfig(variables)).toEqual({});
    await changeConfig(variables, select('staging'));
    expect(readConfig(variables)).toEqual({ environment: 'staging' });
  });

  it.each([
    ['{"environment": "staging"', 'it is not valid JSON (line 1)'],
    ['{\n"output": "table",\n}', 'it is not valid JSON (line 3)'],
    ['[]', 'must be a JSON object'],
    ['{"enviroment": "staging"}', 'enviroment: is not a setting'],
    ['{"output": "xml"}', 'output: is not an output format'],
    ['{"environments": {"Prod": {}}}', 'environments.Prod: is not a name for an environment'],
    ['{"environments": {"prod": {"url": 7}}}', 'environments.prod.url: must be a text'],
    [
      '{"environments": {"prod": {"protected": "no"}}}',
      'environments.prod.protected: must be true or false',
    ],
  ])('with the mistake %s is refused: %s', async (text, reason) => {
    const { file, variables } = await openFolder(text);
    expect(() => readConfig(variables)).toThrow(`${file} cannot be used: ${reason}.`);
  });

  it('of Windows editors, with a byte order mark, is read', async () => {
    const { variables } = await openFolder('\uFEFF{"environment": "staging"}');
    expect(readConfig(variables)).toEqual({ environment: 'staging' });
  });

  it.each(['with', 'without'])(
    'that is a symbolic link stays one, %s a file behind it',
    async (how) => {
      const { folder, file, variables } = await openFolder();
      const target = path.join(folder, 'elsewhere.json');
      if (how === 'with') await writeFile(target, '{}');
      await symlink('elsewhere.json', file);
      await changeConfig(variables, select('staging'));
      expect((await lstat(file)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(target, 'utf8'))).toEqual({ environment: 'staging' });
    },
  );

  it('keeps the mode that its owner gave it', async () => {
    const { file, variables } = await openFolder('{}');
    await chmod(file, 0o640);
    await changeConfig(variables, select('staging'));
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it.runIf(canMount())('that is mounted by itself is written in place', async () => {
    const { folder, variables } = await openFolder('{}');
    const target = path.join(folder, 'mounted.json');
    await writeFile(target, '{}');
    await runMounted('mount --bind mounted.json config.json', folder, variables);
    expect(await readFile(target, 'utf8')).toContain('pets.test');
  });
});

describe('the folder of the files', () => {
  const home = path.resolve('/home/mia');
  it.each([
    [{ PETSTORE_CONFIG_DIR: '/etc/pets' }, 'config', '/etc/pets'],
    [{ PETSTORE_CONFIG_DIR: '~/pets', HOME: home }, 'config', `${home}/pets`],
    [{ PETSTORE_CONFIG_DIR: '~', HOME: home }, 'config', home],
    [{ XDG_CONFIG_HOME: '/x', HOME: home }, 'config', '/x/petstore'],
    [{ XDG_CONFIG_HOME: 'x', HOME: home }, 'config', `${home}/.config/petstore`],
    [{ XDG_STATE_HOME: '/x', PETSTORE_CONFIG_DIR: '/y' }, 'state', '/x/petstore'],
    [{ HOME: home }, 'state', `${home}/.local/state/petstore`],
    [{ HOME: home }, 'data', `${home}/.local/share/petstore`],
  ] as const)('by %j for %s is %s', (variables, kind, expected) => {
    expect(findFolder(variables, kind)).toBe(expected);
  });

  it.each(['cfg', './cfg', '~mia/cfg'])('is never the relative %s', (folder) => {
    expect(() => findFolder({ PETSTORE_CONFIG_DIR: folder, HOME: home }, 'config')).toThrow(
      'PETSTORE_CONFIG_DIR is not a full path',
    );
  });

  it('that cannot be created is refused with the reason and the variable', async () => {
    const { folder } = await openFolder();
    await writeFile(path.join(folder, 'file'), '');
    const variables = { XDG_STATE_HOME: path.join(folder, 'file') };
    await expect(createFolder(variables, 'state')).rejects.toMatchObject({
      code: 'cli_file',
      message: expect.stringContaining('a part of its path is not a folder'),
      details: ['XDG_STATE_HOME names another folder'],
    });
  });

  it.runIf(canMount())('on a read-only file system is said to be read-only', async () => {
    const folder = await createTemporaryFolder();
    const variables = { PETSTORE_CONFIG_DIR: path.join(folder, 'a/b') };
    const run = await runMounted('mount -t tmpfs -o ro petstore-test .', folder, variables);
    expect(run.stderr).toContain('the file system is read-only');
  });
});

/** Sets up an environment after a mount that nobody else sees. */
function runMounted(mount: string, folder: string, variables: TestVariables) {
  const line = `${mount} && petstore env set trial --url pets.test`;
  return runShell(
    `export -f petstore; ${ownMounts.join(' ')} bash -c '${line}'`,
    variables,
    folder,
  );
}
