import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findShell } from '../../src/commands/completion.ts';
import { petstoreCommand, runPetstore } from '../support/run-petstore.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

/** How each shell is started without this computer's own settings and history, and loads the script as the help says. */
const shells = {
  bash: ['bash --norc --noprofile', `unset HISTFILE; PS1='$ '; . ./script`],
  zsh: ['zsh --no-rcs', `PS1='$ '; . ./script`],
  fish: ['fish --no-config --private', `function fish_prompt; echo -n '$ '; end; source ./script`],
} as const;

async function openShell(shell: keyof typeof shells) {
  const home = await createTemporaryFolder();
  const line = petstoreCommand.map((word) => `'${word}'`).join(' ');
  await writeFile(path.join(home, 'petstore'), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
  await writeFile(path.join(home, 'delivery.csv'), '');
  await writeFile(path.join(home, 'script'), (await runPetstore(['completion', shell])).stdout);
  const session = await openTerminalSession({
    home,
    // Without a folder of its own, fish leaves one behind.
    variables: { PATH: `${home}:${process.env.PATH}`, XDG_RUNTIME_DIR: home },
  });
  const [start, setUp] = shells[shell];
  await session.run(start);
  await session.enter(`${setUp}; clear`);
  await session.waitForText(/^\$$/);
  return session;
}

describe.each(['bash', 'zsh', 'fish'] as const)('Tab in %s', (shell) => {
  it('completes commands, options, their values, environments and files', async () => {
    const session = await openShell(shell);
    for (const [typed, completed] of [
      ['petstore li', 'petstore list '],
      ['petstore -e production li', 'petstore -e production list '],
      ['petstore ls --newe', 'petstore ls --newest '],
      ['petstore list --status pe', 'petstore list --status pending '],
      ['petstore list --status=pe', 'petstore list --status=pending '],
      ['petstore list -o nd', 'petstore list -o ndjson '],
      ['petstore list --env=prod', 'petstore list --env=production '],
      ['petstore keys create --access r', 'petstore keys create --access read '],
      ['petstore env use prod', 'petstore env use production '],
      ['petstore env stag', 'petstore env staging '],
      ['petstore import deliv', 'petstore import delivery.csv '],
    ] as const) {
      await session.type(typed);
      await session.press('Tab');
      await session.type('!');
      await session.waitForText(`$ ${completed}!`);
      await session.press('C-u');
    }
    // What there is to choose from.
    await session.type('petstore list --status ');
    await session.press('Tab', 'Tab');
    const shown = await session.waitForText('sold');
    expect(shown).toMatch(/available[\s\S]*pending/);
  });
});

it.each([
  ['petstore env u', 'use\t'],
  ['petstore completion p', 'powershell\t'],
  ['petstore list --no-', '--no-input\t'],
])('asks the program itself: %j', async (line, completion) => {
  expect((await runPetstore(['completion', `--line=${line}`])).stdout).toContain(completion);
});

it('never fails into a prompt: a line that makes no sense has no completions', async () => {
  const run = await runPetstore(['completion', '--line=petstore nonsense --what=']);
  expect(run).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
});

it('prints the script for the shell in use, and asks for its name where that is unknown', async () => {
  const bash = await runPetstore('completion', { variables: { SHELL: '/bin/bash' } });
  expect(bash.stdout).toContain('complete -o default -F _petstore petstore');
  const unknown = await runPetstore('completion', { variables: { SHELL: '/bin/tcsh' } });
  expect(unknown).toMatchObject({ stdout: '', exitCode: 2 });
  expect(unknown.stderr).toContain('petstore completion bash');
});

it.each([
  [undefined, 'win32', 'powershell'],
  [String.raw`C:\Program Files\Git\usr\bin\bash.exe`, 'win32', 'bash'],
  ['/usr/bin/fish', 'darwin', 'fish'],
  [undefined, 'linux', undefined],
] as const)('the shell in use by SHELL=%s on %s is %s', (variable, platform, shell) => {
  expect(findShell(variable, platform)).toBe(shell);
});
