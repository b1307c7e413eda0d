import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtLine } from '../../support/built-program.ts';
import { canRun } from '../../support/can-run.ts';
import { type RealTerminal, startRealTerminal } from '../../support/real-terminal.ts';
import { runPetstore } from '../../support/run-program.ts';
import { sharedCache } from '../../support/shared-cache.ts';
import { waitFor } from '../../support/wait-for.ts';

const prompt = 'ready>';

/**
 * How each shell is started without this machine's own settings, and how it loads the script. None keeps a history:
 * a shell writes it when it ends, into a folder that is being removed.
 */
const starts = {
  bash: {
    command: ['bash', '--norc', '--noprofile'],
    setUp: (script: string) => `unset HISTFILE; PS1='${prompt}'; . ${script}`,
  },
  zsh: {
    command: ['zsh', '--no-rcs'],
    setUp: (script: string) =>
      `autoload -Uz compinit; compinit -D; PS1='${prompt}'; eval "$(cat ${script})"`,
  },
  fish: {
    command: ['fish', '--no-config', '--private'],
    setUp: (script: string) => `function fish_prompt; echo -n '${prompt}'; end; source ${script}`,
  },
};
type Shell = keyof typeof starts;
const shells = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

/** Puts the built program into a folder as `petstore`, for what a script asks it. */
async function installProgram(folder: string): Promise<void> {
  const script = `#!/bin/sh\nexec ${builtLine} "$@"\n`;
  await writeFile(path.join(folder, 'petstore'), script, { mode: 0o755 });
}

async function openShell(shell: Shell) {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-shell-'));
  const script = path.join(folder, 'completion');
  await writeFile(script, (await runPetstore(['completion', shell])).stdout);
  await installProgram(folder);
  const { command, setUp } = starts[shell];
  const env = { HOME: folder, ...sharedCache, PATH: `${folder}:${process.env.PATH}` };
  const terminal = await startRealTerminal(command, env);
  await terminal.type(`${setUp(script)}; clear`);
  await terminal.press('Enter');
  await terminal.waitForText(new RegExp(`^${prompt}`));
  const close = () => terminal.close().then(() => rm(folder, { recursive: true, force: true }));
  return { ...terminal, close };
}

describe.each(shells)('completion in a real %s', (shell) => {
  const isMissing = !canRun('tmux', shell);
  let opened: ReturnType<typeof openShell> | undefined;
  afterAll(async () => (await opened)?.close());

  /** The one shell of these tests, at an empty prompt. */
  async function openPrompt(): Promise<RealTerminal> {
    opened ??= openShell(shell);
    const terminal = await opened;
    await terminal.press('C-u');
    await terminal.type('clear');
    await terminal.press('Enter');
    await waitFor(async () => expect(await terminal.read()).toBe(prompt));
    return terminal;
  }

  it.skipIf(isMissing).each([
    ['petstore li', 'petstore list '],
    ['petstore --env production li', 'petstore --env production list '],
    ['petstore --env=production li', 'petstore --env=production list '],
    ['petstore list --req', 'petstore list --require-complete '],
    ['petstore ls --req', 'petstore ls --require-complete '],
    ['petstore list --status pe', 'petstore list --status pending '],
    ['petstore list --status=pe', 'petstore list --status=pending '],
    ['petstore list -o nd', 'petstore list -o ndjson '],
    ['petstore list --no-in', 'petstore list --no-input '],
    ['petstore import --format nd', 'petstore import --format ndjson '],
    ['petstore serve --log-level si', 'petstore serve --log-level silent '],
    ['petstore help exit', 'petstore help exit-codes '],
    // Environment names, which the program is asked for.
    ['petstore -e prod', 'petstore -e production '],
    ['petstore list --env=prod', 'petstore list --env=production '],
    ['petstore env use prod', 'petstore env use production '],
    // Files, where one is asked for: this repository's.
    ['petstore add --from LICEN', 'petstore add --from LICENSE '],
    ['petstore import --resume LICEN', 'petstore import --resume LICENSE '],
  ])('completes %j', async (typed, completed) => {
    const terminal = await openPrompt();
    await terminal.type(typed);
    await terminal.press('Tab');
    await terminal.type('!');
    await terminal.waitForText(`${prompt}${completed}!`);
  });

  it.skipIf(isMissing)('offers the values of an option', async () => {
    const terminal = await openPrompt();
    await terminal.type('petstore add Rex --status ');
    await terminal.press('Tab', 'Tab');
    const shown = await terminal.waitForText(/sold/);
    expect(shown).toMatch(/available/);
    expect(shown).toMatch(/pending/);
    expect(shown).not.toMatch(/--limit|serve/);
  });
});
