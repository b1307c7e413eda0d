import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFakePrompt } from '../../support/fake-prompt.ts';
import { inHours, openLossyMachine, openPlainMachine } from './support.ts';

const stateOf = (home: string) => path.join(home, '.local', 'state', 'petstore');

async function openQuietMachine() {
  const machine = await openLossyMachine();
  machine.proxy.mend();
  return machine;
}

describe('history', () => {
  it('lists what was added from this machine, the newest first, as a table', async () => {
    const { run } = await openQuietMachine();
    await run('add Rex --category 7');
    await run('add Luna --category 9007199254740993 --status sold', { clock: inHours(1) });
    expect(await run('history', { tty: true, columns: 120 })).toEqual({
      stdout: [
        'ID  TIME                      ENVIRONMENT  WRITE                                        OUTCOME',
        ' 2  2026-11-20T10:00:00.000Z  staging      add "Luna", category 9007199254740993, sold  added as 2',
        ' 1  2026-11-20T09:00:00.000Z  staging      add "Rex", category 7                        added as 1',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  it.each([
    'history --since 30m -q',
    'history list --since 30m -q',
    'history ls -q --since 30m --env staging',
  ])('%s: only those of this time and place', async (line) => {
    const { run } = await openQuietMachine();
    await run('add Rex --category 7');
    await run('add Luna --category 7', { clock: inHours(1) });
    expect((await run(line, { clock: inHours(1) })).stdout).toBe('2\n');
    expect((await run(`${line} --env production`)).stdout).toBe('');
  });

  it('names no environment that was never there', async () => {
    const { run } = await openQuietMachine();
    const { stderr, exitCode } = await run('history --env stagign');
    expect(stderr).toContain('Did you mean staging?');
    expect(exitCode).toBe(2);
  });

  it('has the import as one line, and what was not sent', async () => {
    const { run, HOME } = await openQuietMachine();
    await writeFile(path.join(HOME, 'two.csv'), 'name,categoryId\nA,1\nB,2\n');
    await run(`import ${HOME}/two.csv`);
    await run('add Rex --category 7 --retries 0', {
      env: { PETSTORE_STAGING_URL: 'http://127.0.0.1:1/v1' },
    });
    const { stdout } = await run('history --csv');
    expect(stdout).toContain(',staging,import,');
    expect((await run('history')).stdout).toMatch(
      /add "Rex", category 7 +not sent: the connection was refused.*\n.*import .*two\.csv +2 of 2 added\n/,
    );
  });

  it('holds no API key, and can be read by its owner alone', async () => {
    const { run, HOME, service } = await openQuietMachine();
    await run('add Rex --category 7');
    const folder = stateOf(HOME);
    for (const name of await readdir(folder))
      expect(await readFile(path.join(folder, name), 'latin1')).not.toContain(service.key);
    expect(await readFile(path.join(folder, 'history.db-wal'), 'latin1')).toContain('Rex');
  });

  it.each([
    ['--no-history', {}],
    ['-q', { PETSTORE_HISTORY: 'off' }],
    ['-q', { PETSTORE_HISTORY: '0' }],
  ])('add %s with %j leaves no trace', async (flag, env) => {
    const { run, HOME } = await openQuietMachine();
    expect(await run(`add Rex --category 7 ${flag}`, { env })).toMatchObject({ exitCode: 0 });
    const found = await readdir(stateOf(HOME));
    expect(found.filter((name) => name.startsWith('history'))).toEqual([]);
  });
});

describe('a history that cannot be written', () => {
  it.each([
    ['a folder is in its place', (file: string) => mkdir(file, { recursive: true })],
    ['it is damaged', (file: string) => writeFile(file, 'no database, and longer than a header')],
    [
      'it is read-only',
      async (file: string) => {
        await writeFile(file, '');
        await chmod(file, 0o400);
      },
    ],
  ])('when %s the add is sent with one warning', async (_, spoil) => {
    const { run, HOME, listNames } = await openQuietMachine();
    await mkdir(stateOf(HOME), { recursive: true });
    await spoil(path.join(stateOf(HOME), 'history.db'));
    const { stdout, stderr, exitCode } = await run('add Rex --category 7 -q');
    expect({ stdout, exitCode }).toEqual({ stdout: '1\n', exitCode: 0 });
    // As root, everything can be written.
    if (stderr !== '')
      expect(stderr).toMatch(
        /^The history of this machine is incomplete: .*\. The add itself is not affected\.\n$/,
      );
    expect(await listNames()).toEqual(['Rex']);
  });
});

describe('the question about a repeated add', () => {
  it('knows of adds of unknown outcome', async () => {
    const { run } = await openPlainMachine();
    await run('add Rex --category 7 --retries 0');
    const prompt = createFakePrompt(false);
    const again = await run('add Rex --category 7 -q', { tty: true, prompt });
    expect(again).toMatchObject({ exitCode: 3 });
    expect(prompt.asked).toEqual([
      '"Rex" may have been added to category 7 a few minutes ago. Add it again?',
    ]);
  });
});
