import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtCommand, windowsProgram } from '../support/built-program.ts';
import { openDeskMachine } from '../support/desk-machine.ts';
import { startHttpServer } from '../support/http-server.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShell } from '../support/shell.ts';
import { stagingAt } from '../support/staging.ts';

const tools = path.dirname(windowsProgram ?? '');
let service: TestService;
beforeAll(async () => {
  service = await startService({ pets: [{ name: 'Rex', categoryId: 1n }] });
});
afterAll(() => service.close());

const openMachine = (env?: Record<string, string>) => openDeskMachine(service.url, env);

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe('files on Windows', () => {
  it('of the person are in %APPDATA%, those of the machine in %LOCALAPPDATA%', async () => {
    const { run, home } = await openMachine();
    await writeFile(path.join(home, 'pets.csv'), 'name,categoryId\r\nZoë,1\r\n');
    const words = ['auth login --key-stdin --storage file', `import ${home}/pets.csv`, 'list'];
    for (const line of [`env set shop --url ${service.url}`, ...words])
      expect(await run(line, { stdin: `${service.key}\r\n` })).toMatchObject({ exitCode: 0 });
    const [roaming, local] = ['Roaming', 'Local'].map((one) => path.join(home, 'AppData', one));
    expect(await listFiles(roaming ?? '')).toEqual(['petstore/config.json', 'petstore/keys.json']);
    const names = await listFiles(local ?? '');
    expect(names).toContain('petstore/imports/imports.db');
    expect(names.filter((name) => name.startsWith('petstore/code/'))).toHaveLength(2);
    expect(await readFile(path.join(roaming ?? '', 'petstore/config.json'), 'utf8')).not.toContain(
      service.key,
    );
  });

  it('of the compile cache are used by the next run, and replaced when damaged', async () => {
    const { run, home } = await openMachine(stagingAt(service.url, service.key));
    const folder = path.join(home, 'AppData/Local/petstore/code');
    const expected = (await run('list --json')).stdout;
    expect((await run('list --json')).stdout).toBe(expected);
    const [name = ''] = await readdir(folder);
    await writeFile(path.join(folder, name), 'nonsense');
    expect(await run('list --json')).toMatchObject({ stdout: expected, stderr: '', exitCode: 0 });
    expect(await readFile(path.join(folder, name), 'latin1')).not.toBe('nonsense');
    expect((await readdir(folder)).filter((one) => one.startsWith('using-'))).toEqual([]);
  });

  it('are replaced though another program reads them', async () => {
    const { run, home } = await openMachine();
    await run('env set shop --url https://shop.pets.test/v1');
    const file = path.join(home, 'AppData/Roaming/petstore/config.json');
    const reader = spawn(path.join(tools, 'run-script'), [
      `const fs = require('node:fs'); fs.openSync(process.argv[1]); console.log('open'); setTimeout(() => {}, 500);`,
      file,
    ]);
    await once(reader.stdout, 'data');
    const lines = ['env set one', 'env set two', 'env set three'];
    const runs = lines.map((line) => run(`${line} --url https://one.pets.test/v1`));
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect((await run('env list --quiet')).stdout).toBe(
      'one\nproduction\nshop\nstaging\nthree\ntwo\n',
    );
  });
});

describe('lines to paste into PowerShell', () => {
  it.each([
    ['add Mrs Whiskers --category 7', 'Try:  petstore add "Mrs Whiskers" --category 7'],
    ['list', 'Try:  Remove-Item Env:https_proxy'],
  ])('petstore %s', async (line, expected) => {
    const url = line === 'list' ? 'https://pets.test/v1' : service.url;
    const env = stagingAt(url, service.key);
    const { run } = await openMachine({ ...env, HTTPS_PROXY: 'not a url' });
    expect((await run(line)).stderr).toContain(expected);
  });
});

describe('in cmd.exe', () => {
  async function type(line: string) {
    const home = await makeFolder();
    const env = { PATH: process.env.PATH, HOME: home, ...stagingAt(service.url, service.key) };
    return await promisify(execFile)(path.join(tools, 'run-line'), [line], { env, cwd: home });
  }

  it('takes the words of a line', async () => {
    const { stdout } = await type('petstore add "Mrs Whiskers & Zoë ✓" --category 7 --json');
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Mrs Whiskers & Zoë ✓', categoryId: 7 });
  });

  it('writes into a file, and passes the exit code on', async () => {
    const { stdout } = await type('petstore list --limit 1 --csv > pets.csv && type pets.csv');
    expect(stdout).toBe('id,name,categoryId,status\n1,Rex,1,available\n');
    await expect(type('petstore list -e unknown')).rejects.toMatchObject({ code: 2 });
  });
});

describe('in a Windows console', () => {
  it('the first use stores the key in the Credential Manager and adds a pet', async () => {
    const shell = await openShell({ ACCESSIBLE: '1' });
    await shell.run('petstore add');
    await shell.waitForText('URL) of the service:');
    await shell.answer(service.url);
    await shell.waitForText('API key for staging');
    await shell.answer(service.key);
    await shell.waitForText('in the OS keychain.');
    await shell.waitForText(/Name/);
    await shell.answer('Goldie');
    await shell.waitForText(/Category/);
    await shell.answer('7');
    await shell.waitForText(/Status/);
    await shell.answer('');
    const shown = await shell.waitForText(/Goldie +7 +available/);
    expect(shown).not.toContain(service.key.slice(4, 12));
  });

  it('Ctrl-C ends a command that waits, with 130', async () => {
    let requests = 0;
    const { url } = await startHttpServer(() => {
      requests += 1;
    });
    const shell = await openShell(stagingAt(url));
    await shell.run('petstore list');
    await expect.poll(() => requests, { timeout: 10_000 }).toBe(1);
    await shell.press('C-c');
    expect(await shell.waitForText('exit 130')).toContain('Stopped.');
  });

  it('Ctrl-C ends the service, whose database is whole then', async () => {
    const folder = await makeFolder();
    const database = `sqlite:${folder}/pets.db`;
    const shell = await openShell({ PETSTORE_SERVE_DATABASE: database });
    await shell.run('petstore serve --port 0 --seed');
    await shell.waitForText('$env:PETSTORE_STAGING_URL = ');
    await shell.press('C-c');
    await shell.waitForText('exit 0');
    const { run } = await openMachine({ PETSTORE_SERVE_DATABASE: database });
    expect(await run('db check')).toMatchObject({ exitCode: 0 });
    expect(await run(`db backup ${folder}/backup.db`)).toMatchObject({ exitCode: 0 });
    expect(await run(`db check --database sqlite:${folder}/backup.db`)).toMatchObject({
      exitCode: 0,
    });
  });
});

it('of a process that is killed, nothing is left running', async () => {
  const { variables, home } = await openMachine({ PETSTORE_SERVE_DATABASE: 'sqlite:pets.db' });
  const [file = '', ...words] = builtCommand;
  const serve = () =>
    spawn(file, [...words, 'serve', '--port', '0', '--seed'], {
      env: { PATH: process.env.PATH, ...variables },
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const first = serve();
  await once(first.stderr, 'data');
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = serve();
  onTestFinished(() => void second.kill());
  let said = '';
  second.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await expect.poll(() => said, { timeout: 10_000 }).toContain('Listening on');
});
