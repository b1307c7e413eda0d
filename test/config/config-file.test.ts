import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Config, changeConfig, readConfig } from '../../src/config/config-file.ts';
import { setEntry } from '../../src/config/environments.ts';
import { withLock } from '../../src/config/lock-folder.ts';
import {
  createFolder,
  describeFolderChoice,
  describeMissingFolder,
  findFolder,
} from '../../src/config/paths.ts';
import { replaceFile } from '../../src/config/write-file.ts';
import { canMount, ownMounts } from '../support/mount-namespace.ts';
import { runPetstore, type TestVariables } from '../support/run-petstore.ts';
import { runShell } from '../support/run-shell.ts';
import {
  boundByModes,
  isWindows,
  itOnLinux,
  itOnPosix,
  itOnWindows,
  skipUnless,
} from '../support/system.ts';
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
    ['{"environments": []}', 'environments: must not be a list'],
    ['{"environments": 7}', 'environments: must be a JSON object'],
    ['{"keyStorage": "here"}', 'keyStorage: must be keychain or file'],
    ['{"environment": "Prod"}', 'environment: is not a name for an environment'],
    [
      '{"environments": {"prod": {"keys": {"pets.test": {"storage": "file", "ending": "9f2a"}}}}}',
      'environments.prod.keys.pets.test: is not an origin such as https://pets.test',
    ],
    [
      '{"environments": {"prod": {"keys": {"https://pets.test": {"storage": "file"}}}}}',
      'environments.prod.keys.https://pets.test.ending: is required',
    ],
    [
      '{"environments": {"prod": {"protected": "no"}}}',
      'environments.prod.protected: must be true or false',
    ],
  ])('with the mistake %s is refused: %s', async (text, reason) => {
    const { file, variables } = await openFolder(text);
    expect(() => readConfig(variables)).toThrow(`${file} cannot be used: ${reason}.`);
  });

  // A schema drops the first three in silence, and takes the others for settings that every object has.
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf'])(
    'with the name %s is refused at every level',
    async (name) => {
      for (const text of [`{"${name}": {}}`, `{"environments": {"${name}": {}}}`]) {
        const { file, variables } = await openFolder(text);
        expect(() => readConfig(variables)).toThrow(
          `${file} cannot be used: ${name}: this name cannot be used.`,
        );
      }
    },
  );

  it.each([
    ['a pipe', (file: string) => promisify(execFile)('mkfifo', [file])],
    ['a device', (file: string) => symlink('/dev/zero', file)],
    ['a socket', (file: string) => listenAt(file)],
    ['a folder', (file: string) => mkdir(file)],
  ])('that is %s is refused at once', async (kind, create) => {
    skipUnless(kind === 'a folder' || !isWindows, kind);
    const { file, variables } = await openFolder();
    await create(file);
    const given = { ...variables, PETSTORE_STAGING_URL: 'pets.test', PETSTORE_API_KEY: 'a-key' };
    expect(() => readConfig(given)).toThrow(/cannot be read: it is (a folder|a pipe, a socket)/);
  });

  itOnPosix.each([
    ['/dev/null', 'a part of its path is not a folder'],
    ['a loop of links', 'its symbolic links lead in a circle'],
  ])('below %s is nothing for whoever has address and key in variables', async (place, reason) => {
    const { folder } = await openFolder();
    await symlink('b', path.join(folder, 'a'));
    await symlink('a', path.join(folder, 'b'));
    const dir = place === '/dev/null' ? place : path.join(folder, 'a');
    const variables = { PETSTORE_CONFIG_DIR: dir, PETSTORE_STAGING_URL: 'pets.test' };
    expect(readConfig({ ...variables, PETSTORE_API_KEY: 'a-key' })).toEqual({});
    expect(() => readConfig(variables)).toThrow(reason);
  });

  itOnPosix.each([
    ['file', 'chmod 0 config.json'],
    ['folder', 'chmod 0 "$PETSTORE_CONFIG_DIR"'],
  ])('in a %s that may not be read is about permissions', async (_, line) => {
    const { folder } = await openFolder('{}');
    // Its owner can remove it again.
    const script = `${line}; "$@"; code=$?; chmod 700 "$PETSTORE_CONFIG_DIR"; exit $code`;
    const before = [...boundByModes, 'sh', '-c', script, 'sh'];
    const run = (variables: TestVariables) =>
      runPetstore('env --offline', {
        before,
        cwd: folder,
        variables: { ...variables, PETSTORE_CONFIG_DIR: folder },
      });
    expect((await run({})).stderr).toMatch(/permission denied\.\n {2}look at its permissions/);
    const given = { PETSTORE_STAGING_URL: 'pets.test', PETSTORE_API_KEY: 'a-key' };
    expect((await run(given)).exitCode).toBe(0);
  });

  itOnPosix('that may not be read is never replaced', async () => {
    const { folder, file } = await openFolder('{"environment": "till"}');
    await chmod(file, 0);
    const { stderr, exitCode } = await runPetstore('env set staging --url pets.test', {
      before: boundByModes,
      cwd: folder,
      variables: {
        PETSTORE_CONFIG_DIR: folder,
        PETSTORE_STAGING_URL: 'pets.test',
        PETSTORE_API_KEY: 'a-key',
      },
    });
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining('permission denied'),
      exitCode: 2,
    });
    await chmod(file, 0o600);
    expect(await readFile(file, 'utf8')).toBe('{"environment": "till"}');
  });

  it.runIf(canMount())('leaves no lock behind on a full disk', async () => {
    const { folder, variables } = await openFolder();
    const fill =
      'mount -t tmpfs -o size=4k full "$0" && echo full >"$0/full" && { "$@"; ls "$0"; }';
    const { stderr, stdout } = await runPetstore('env set staging --url pets.test', {
      before: [...ownMounts, 'sh', '-c', fill, folder],
      variables,
    });
    expect(stderr).toContain('no space is left on the disk');
    expect(stdout.trim()).toBe('full');
  });

  it('of Windows editors, with a byte order mark, is read', async () => {
    const { variables } = await openFolder('\uFEFF{"environment": "staging"}');
    expect(readConfig(variables)).toEqual({ environment: 'staging' });
  });

  itOnLinux('is closed once it is read', async () => {
    const { file, variables } = await openFolder('{}');
    readConfig(variables);
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(open).not.toContain(file);
  });

  itOnPosix.each(['with', 'without'])(
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

  itOnPosix('keeps the mode that its owner gave it', async () => {
    const { file, variables } = await openFolder('{}');
    await chmod(file, 0o640);
    await changeConfig(variables, select('staging'));
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('that cannot be written is an error, and leaves no draft', async () => {
    const { folder, file } = await openFolder();
    await mkdir(file);
    await expect(replaceFile(file, '{}')).rejects.toMatchObject({
      code: 'cli_file',
      message: expect.stringContaining(`${file} cannot be written`),
    });
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it.runIf(canMount())('that is mounted by itself is written in place', async () => {
    const { folder, variables } = await openFolder('{}');
    const target = path.join(folder, 'mounted.json');
    await writeFile(target, '{}');
    await runMounted('mount --bind mounted.json config.json', folder, variables);
    expect(await readFile(target, 'utf8')).toContain('pets.test');
  });
});

describe('changes of config.json at once', () => {
  const addEnvironment = (name: string) => (config: Config) => setEntry(config, name, {});
  const names = Array.from({ length: 30 }, (_, index) => `e${index}`);

  it('by thirty processes beside an abandoned lock lose nothing', async () => {
    const { folder, variables } = await openFolder();
    await writeFile(path.join(folder, 'lock'), 'of a process that was killed');
    const longAgo = new Date(Date.now() - 11_000);
    await utimes(path.join(folder, 'lock'), longAgo, longAgo);
    const runs = await Promise.all(
      names.map((name) => runPetstore(`env set ${name} --url pets.test`, { variables })),
    );
    expect(runs.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(Object.keys(readConfig(variables).environments ?? {}).sort()).toEqual([...names].sort());
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it.each([
    ['', false],
    [', nor leave it behind where a third one has its own by then', true],
  ])('take no lock away that another process has taken a moment before%s', async (_, isThird) => {
    const { folder, variables } = await openFolder();
    const lock = path.join(folder, 'lock');
    await writeFile(lock, 'of a process that was killed');
    await utimes(lock, 0, 0);
    const { renameSync } = fs;
    const rename = vi.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      fs.rmSync(lock);
      fs.writeFileSync(lock, 'of a faster process');
      renameSync(from, to);
      if (isThird) fs.writeFileSync(lock, 'of a third process');
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const changing = changeConfig(variables, addEnvironment('till'));
    await expect.poll(() => rename.mock.calls.length).toBe(1);
    const holder = isThird ? 'of a third process' : 'of a faster process';
    expect(await readFile(lock, 'utf8')).toBe(holder);
    await rm(lock);
    await changing;
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('leave a lock alone that is not theirs any more, as after Ctrl-Z', async () => {
    const { folder } = await openFolder();
    const lock = path.join(folder, 'lock');
    await withLock(folder, () => writeFile(lock, 'of another process'));
    expect(await readFile(lock, 'utf8')).toBe('of another process');
  });

  it('give up after ten seconds, in words, while others keep the folder locked', async () => {
    const { folder, variables } = await openFolder();
    const lock = path.join(folder, 'lock');
    await writeFile(lock, 'of a busy process');
    // It never grows old.
    const later = Date.now() / 1000 + 3_600;
    await utimes(lock, later, later);
    await expect(changeConfig(variables, addEnvironment('till'))).rejects.toMatchObject({
      code: 'cli_file',
      message: `Another petstore is changing the files in ${folder}.`,
      retryable: true,
    });
    expect(await readFile(lock, 'utf8')).toBe('of a busy process');
  });

  it.runIf(canMount())('need no lock in a folder that cannot be written', async () => {
    const { folder, variables } = await openFolder('{}');
    await writeFile(path.join(folder, 'config.json'), '{}');
    const target = path.join(await createTemporaryFolder(), 'config.json');
    await writeFile(target, '{}');
    const mount = `mount --bind . . && mount --bind ${target} config.json && mount -o remount,bind,ro .`;
    const run = await runMounted(`${mount} && cd .`, folder, variables);
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await readFile(target, 'utf8')).toContain('pets.test');
  });
});

describe('the folder of the files', () => {
  const home = path.resolve('/home/mia');
  itOnPosix.each([
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

  itOnWindows.each([
    [{ PETSTORE_CONFIG_DIR: '~/pets', USERPROFILE: 'C:\\mia' }, 'config', 'C:\\mia\\pets'],
    [{ APPDATA: 'C:\\r', USERPROFILE: 'C:\\mia' }, 'config', 'C:\\r\\petstore'],
    [{ LOCALAPPDATA: 'C:\\l', USERPROFILE: 'C:\\mia' }, 'state', 'C:\\l\\petstore'],
    [{ LOCALAPPDATA: 'C:\\l', XDG_DATA_HOME: 'C:\\x' }, 'data', 'C:\\x\\petstore'],
    [{ USERPROFILE: 'C:\\mia' }, 'config', 'C:\\mia\\.config\\petstore'],
  ] as const)('on Windows by %j for %s is %s', (variables, kind, expected) => {
    expect(findFolder(variables, kind)).toBe(expected);
  });

  itOnWindows('is named by the variables that Windows has', () => {
    expect(describeMissingFolder('config')).toContain('USERPROFILE is not set');
    expect(describeFolderChoice('state')).toBe('LOCALAPPDATA names another folder');
  });

  it.each(['cfg', './cfg', '~mia/cfg'])('is never the relative %s', (folder) => {
    expect(() => findFolder({ PETSTORE_CONFIG_DIR: folder, HOME: home }, 'config')).toThrow(
      'PETSTORE_CONFIG_DIR is not a full path',
    );
  });

  itOnPosix('that cannot be created is refused with the reason and the variable', async () => {
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

async function listenAt(file: string): Promise<void> {
  const server = createServer().listen(file);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
}
