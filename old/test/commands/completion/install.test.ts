import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { canRun } from '../../support/can-run.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { openRealTerminal } from '../../support/real-terminal.ts';
import { runPetstore } from '../../support/run-program.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const prompt = 'ready>';

/** What each shell reads at its start, and how it is given a prompt and no history there. */
const shells = {
  bash: { start: '.bashrc', settings: `unset HISTFILE; PS1='${prompt}'\n`, command: ['bash'] },
  zsh: { start: '.zshrc', settings: `unset HISTFILE; PS1='${prompt}'\n`, command: ['zsh'] },
  fish: {
    start: '.config/fish/config.fish',
    settings: `function fish_prompt; echo -n '${prompt}'; end\n`,
    command: ['fish', '--private'],
  },
  powershell: { start: '.config/powershell/profile.ps1', settings: '# mine\n', command: ['pwsh'] },
};

async function openHome(shell: keyof typeof shells) {
  const HOME = await makeFolder();
  const start = path.join(HOME, shells[shell].start);
  await mkdir(path.dirname(start), { recursive: true });
  await writeFile(start, shells[shell].settings, { mode: 0o644 });
  const run = (...words: string[]) =>
    runPetstore(['completion', shell, ...words], { env: { HOME } });
  return { HOME, start, run };
}

const names = ['bash', 'zsh', 'fish', 'powershell'] as const;

describe.each(names)('petstore completion %s --install', (shell) => {
  it('is undone by --uninstall, and twice is as once', async () => {
    const { HOME, start, run } = await openHome(shell);
    const list = async () => (await readdir(HOME, { recursive: true })).sort();
    const before = await list();
    const installed = await run('--install');
    expect(installed).toMatchObject({ stdout: '', exitCode: 0 });
    const [files, text] = [await list(), await readFile(start, 'utf8')];
    expect(await run('--install')).toEqual(installed);
    expect([await list(), await readFile(start, 'utf8')]).toEqual([files, text]);
    expect((await stat(start)).mode & 0o777).toBe(0o644);
    expect(await run('--uninstall')).toMatchObject({ stdout: '', exitCode: 0 });
    expect(await readFile(start, 'utf8')).toBe(shells[shell].settings);
    const added = (await list()).filter((file) => !before.includes(file));
    expect(added.filter((file) => /completion\.|petstore\.fish/.test(file))).toEqual([]);
    expect((await run('--uninstall')).stderr).toBe(`No completion is installed for ${shell}.\n`);
  });
});

it('a start file that is a link stays one', async () => {
  const { HOME, start, run } = await openHome('bash');
  const real = path.join(HOME, 'dotfiles-bashrc');
  await writeFile(real, '# mine\n');
  await rm(start);
  await symlink(real, start);
  await run('--install');
  expect(await readFile(real, 'utf8')).toContain('completion.bash');
});

it('a start file keeps bytes that are not UTF-8', async () => {
  const { start, run } = await openHome('bash');
  const mine = Buffer.from('# caf\xe9\n', 'latin1');
  await writeFile(start, mine);
  await run('--install');
  expect((await readFile(start)).subarray(0, mine.length)).toEqual(mine);
  await run('--uninstall');
  expect(await readFile(start)).toEqual(mine);
});

it('what is added is UTF-8', async () => {
  const { start, run } = await openHome('bash');
  const data = path.join(await makeFolder(), 'Zoë');
  await runPetstore(['completion', 'bash', '--install'], {
    env: { HOME: path.dirname(start), XDG_DATA_HOME: data },
  });
  expect(await readFile(start, 'utf8')).toContain(`'${data}/petstore/completion.bash'`);
  await run('--uninstall');
  expect(await readFile(start, 'utf8')).toBe(shells.bash.settings);
});

it.each(['\xff\xfe#\0\n\0', '\xfe\xff\0#\0\n'])(
  'a start file in UTF-16 stays as it is, and the line to add is said',
  async (text) => {
    const { start, run } = await openHome('powershell');
    await writeFile(start, text, 'latin1');
    const installed = await run('--install');
    expect(installed).toMatchObject({ stdout: '', exitCode: 2 });
    expect(installed.stderr).toMatch(
      /UTF-16[\s\S]*\n {2}if \(Test-Path '.*completion\.ps1'\) \{ \. /,
    );
    expect(await readFile(start, 'latin1')).toBe(text);
  },
);

it('lines that an editor ended with CRLF are found again', async () => {
  const { start, run } = await openHome('powershell');
  await run('--install');
  const once = await readFile(start, 'utf8');
  await writeFile(start, once.replaceAll('\n', '\r\n'));
  await run('--install');
  expect((await readFile(start, 'utf8')).replaceAll('\r', '')).toBe(once);
  await writeFile(start, once.replaceAll('\n', '\r\n').trimEnd());
  await run('--uninstall');
  expect(await readFile(start, 'utf8')).toBe('# mine\r\n');
});

it('not together with --uninstall', async () => {
  const run = await runPetstore(['completion', 'bash', '--install', '--uninstall']);
  expect(run).toMatchObject({ stdout: '', exitCode: 2 });
});

describe.each(['bash', 'zsh', 'fish'] as const)('a new %s after --install', (shell) => {
  it.skipIf(!canRun('tmux', shell))('completes a command', async () => {
    const { HOME, run } = await openHome(shell);
    await run('--install');
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
    const line = `exec '${process.execPath}' --import '${loader}' '${root}/src/main.ts' "$@"`;
    await mkdir(path.join(HOME, 'bin'));
    await writeFile(path.join(HOME, 'bin/petstore'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    const env = { HOME, PATH: `${HOME}/bin:${process.env.PATH}`, ZDOTDIR: HOME };
    const terminal = await openRealTerminal(shells[shell].command, env);
    await terminal.waitForText(new RegExp(prompt));
    await terminal.type('petstore list --req');
    await terminal.press('Tab');
    await terminal.type('!');
    await terminal.waitForText(`${prompt}petstore list --require-complete !`);
  });
});
