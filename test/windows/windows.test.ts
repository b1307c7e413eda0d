import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertText } from '../support/run-petstore.ts';
import { runWine, startWine, toWindows, windowsPrograms } from '../support/run-wine.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

// Both programs under Wine, with its Credential Manager, its cmd.exe and its AppData: see scripts/test-windows.ts.
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ pets: [{ name: 'Bella', categoryId: 2n }] });
});
afterAll(() => service.close());

let home = '';
beforeEach(async () => {
  home = await createTemporaryFolder();
});

describe.each(Object.entries(windowsPrograms))('%s', (_, program) => {
  const start = (line: string, variables: Readonly<Record<string, string>> = {}) =>
    startWine([...program, ...line.split(' ')], {
      home,
      variables: { ...folders(), ...variables },
    });
  const run = (line: string, stdin: string | Uint8Array = '', variables = {}) =>
    runWine([...program, ...line.split(' ')], {
      ...{ home, stdin, variables: { ...folders(), ...variables } },
    });
  const folders = () => ({ XDG_CONFIG_HOME: home, XDG_STATE_HOME: home });
  const login = (name = 'staging') =>
    run(`login --env ${name} --url ${service.url} --key-stdin`, service.key);
  /** Types a line into cmd.exe, in which petstore is the program. */
  const type = async (line: string) => {
    const words = program.map((word) => `"${word.startsWith('/') ? toWindows(word) : word}"`);
    await writeFile(path.join(home, 'petstore.cmd'), `@${words.join(' ')} %*\r\n`);
    await writeFile(path.join(home, 'typed.cmd'), `@${line}\r\n`);
    // Wine reads a file in the code page of 1981, and quotes words in its own way.
    const typed = line.includes('"') ? ['typed.cmd'] : line.split(' ');
    return await runWine(['cmd', '/c', ...typed], { home, variables: folders() });
  };

  /** Another program that opens a file for itself alone, as libuv's UV_FS_O_EXLOCK does. */
  const holdOpen = async (file: string, milliseconds = 60_000) => {
    const code = `require('fs').openSync('${file}', 0x10000002); console.error('open');
      setTimeout(() => {}, ${milliseconds})`;
    const [node] = windowsPrograms['npm package'];
    const other = await startWine([node, '-e', code], { home });
    await waitFor(() => assertText(other.stderr(), 'open'));
    return other;
  };

  it('--version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await run('--version')).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });

  it('completes in PowerShell, unless another shell is named', async () => {
    expect((await run('completion')).stdout).toContain('Register-ArgumentCompleter');
    expect((await run('completion bash')).stdout).toContain('complete -o default');
  });

  it('stores a key in the Credential Manager, and no file has it', async () => {
    expect(await login()).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readFileSync(path.join(home, 'petstore/config.json'), 'utf8')).toContain('"keychain"');
    for (const file of await readdir(path.join(home, 'petstore')))
      expect(readFileSync(path.join(home, 'petstore', file), 'utf8')).not.toContain(service.key);
    expect(await run('token')).toMatchObject({ stdout: `${service.key}\n`, exitCode: 0 });
    expect(await run('logout --confirm staging')).toMatchObject({ exitCode: 0 });
    expect(await run('list')).toMatchObject({ stdout: '', exitCode: 4 });
  });

  it('stores what it knows in AppData', async () => {
    const words = ['env', 'set', 'staging', '--url', service.url];
    expect(await runWine([...program, ...words], { home })).toMatchObject({ exitCode: 0 });
    const shown = await runWine(['cmd', '/c', 'type', '%APPDATA%\\petstore\\config.json'], {
      home,
    });
    expect(shown.stdout).toContain(new URL(service.url).host);
    await runWine(['cmd', '/c', 'rd', '/s', '/q', '%APPDATA%\\petstore'], { home });
  });

  it('lists, adds and gets', async () => {
    await login();
    const added = await run('add Zoë --category 7 --json');
    expect(added).toMatchObject({ stderr: '', exitCode: 0 });
    const { id } = JSON.parse(added.stdout);
    expect(await run(`get ${id} --csv`)).toMatchObject({
      stdout: `id,name,categoryId,status\n${id},Zoë,7,available\n`,
    });
    expect((await run('list Bella -o ids')).stdout).toBe('1\n');
  });

  it.each([
    [
      'UTF-16',
      (name: string) => Buffer.from(`\uFEFFName\tCategory\r\nZoë ${name}\t31\r\n`, 'utf16le'),
    ],
    ['CRLF', (name: string) => Buffer.from(`name;category\r\nZoë ${name};31\r\n`)],
  ])('imports %s once, however often the line is run', async (kind, encode) => {
    await login();
    const name = `${kind}-${program.length}`;
    await writeFile(path.join(home, `${name}.csv`), encode(name));
    expect(await run(`import ${name}.csv`)).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await run(`import ${name}.csv`)).toMatchObject({ exitCode: 0 });
    const listed = await run(`list ${name} --csv --fields name,categoryId`);
    expect(listed.stdout).toBe(`name,categoryId\nZoë ${name},31\n`);
  });

  it('finishes an import that was killed, and adds nothing twice', async () => {
    await login();
    const name = `killed-${program.length}`;
    const count = async () => Number((await run(`list ${name} --count`)).stdout);
    const rows = Array.from({ length: 1_000 }, (_, at) => `${name}-${at},7\r\n`);
    await writeFile(path.join(home, 'delivery.csv'), `name,category\r\n${rows.join('')}`);
    const first = await start('import delivery.csv');
    await waitFor(async () => {
      if ((await count()) === 0) throw new Error('nothing was added yet');
    });
    first.child.kill('SIGKILL');
    expect((await first.ended).exitCode).toBe(null);
    expect(await run('import delivery.csv')).toMatchObject({ exitCode: 0 });
    expect(await count()).toBe(1_000);
  }, 180_000);

  it('shows environments and finds no fault', async () => {
    await login();
    expect((await run('env --json')).stdout).toContain(`"url":"${service.url}"`);
    expect(await run('doctor')).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['list --bogus', 2],
    ['get 987654', 5],
    ['add Rex --category dog', 2],
  ])('%s ends with %i', async (line, exitCode) => {
    await login();
    expect(await run(line)).toMatchObject({ stdout: '', exitCode });
  });

  it('says of a file that another program has open what to do', async () => {
    await login();
    await writeFile(path.join(home, 'delivery.csv'), `name,category\nHeld ${program.length},7\n`);
    for (const file of ['delivery.csv', 'petstore/config.json']) {
      const other = await holdOpen(file);
      const refused = await run('import delivery.csv');
      expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
      expect(refused.stderr).toContain('another program');
      expect(refused.stderr).not.toContain('names another folder');
      other.child.kill('SIGKILL');
      await other.ended;
    }
    expect(await run('import delivery.csv')).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('waits a second for a file that another program has open', async () => {
    await login();
    await writeFile(path.join(home, 'delivery.csv'), `name,category\nLate ${program.length},7\n`);
    const other = await holdOpen('delivery.csv', 500);
    expect(await run('import delivery.csv')).toMatchObject({ stderr: '', exitCode: 0 });
    await other.ended;
  });

  it('says at once that there is no drive', async () => {
    const line = `env set staging --url ${service.url}`;
    const refused = await run(line, '', { PETSTORE_CONFIG_DIR: 'Q:\\x' });
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect(refused.stderr).toContain('there is no drive Q:');
  });

  it.each(['"Mrs Whiskers"', 'Zoë', '007', "O'Hara"])(
    'cmd.exe types the line after Try: for %s',
    async (name) => {
      await login('production');
      const refused = await type(`petstore add ${name} --category 7 -e production`);
      expect(refused.exitCode).toBe(3);
      const [, line = ''] = /^Try: +(.*?)\r?$/m.exec(refused.stderr) ?? [];
      const added = await type(`${line} --json`);
      expect(added.exitCode).toBe(0);
      expect(JSON.parse(added.stdout).name).toBe(name.replaceAll('"', ''));
    },
  );
});

describe('serve', () => {
  const program = windowsPrograms['npm package'];
  const database = { PETSTORE_SERVE_DATABASE: 'sqlite:pets.db' };
  const serve = async () => {
    const words = [...program, 'serve', '--port', '0'];
    const started = await startWine(words, { home, variables: database });
    const url = await waitFor(() => {
      const [, origin] = /listening on (https?:\/\/[\w.:]+)/.exec(started.stderr()) ?? [];
      if (origin === undefined) throw new Error(started.stderr());
      return `${origin}/v1`;
    });
    return { ...started, url };
  };
  const run = (line: string, variables: Readonly<Record<string, string>> = {}) =>
    runWine([...program, ...line.split(' ')], { home, variables: { ...database, ...variables } });

  it('holds its lock, and loses nothing by kill -9', async () => {
    const key = (await run('keys create --name till')).stdout.trim();
    const first = await serve();
    const second = await run('serve --port 0');
    expect(second.stderr).toContain('Another petstore serve is using');
    const store = { PETSTORE_STAGING_URL: first.url, PETSTORE_API_KEY: key };
    expect(await run('add Rex --category 7', store)).toMatchObject({ exitCode: 0 });
    first.child.kill('SIGKILL');
    await first.ended;
    const third = await serve();
    const listed = await run('list -o ids', { ...store, PETSTORE_STAGING_URL: third.url });
    expect(listed).toMatchObject({ stdout: '1\n', exitCode: 0 });
  });

  it('says at once that there is no drive', async () => {
    const refused = await run('serve --port 0 --database sqlite:Q:\\x\\pets.db');
    expect(refused).toMatchObject({ stdout: '', exitCode: 2 });
    expect(refused.stderr).toContain('there is no drive Q:');
  });
});
