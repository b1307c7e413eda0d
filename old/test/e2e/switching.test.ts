import { expect, it, onTestFinished, vi } from 'vitest';
import { builtLine, runBuilt } from '../support/built-program.ts';
import { canRun } from '../support/can-run.ts';
import { canOpenKeyring, openKeyring } from '../support/keyring.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openRealTerminal } from '../support/real-terminal.ts';
import { startService } from '../support/service.ts';

// Some thirty starts of the program, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

/** A home folder and a keyring with the keys of two services, each with a pet of its own. */
async function openMachine() {
  const [staging, production, keyring] = await Promise.all([
    startService({ pets: [{ name: 'Stagehand', categoryId: 1n }] }),
    startService({ pets: [{ name: 'Producer', categoryId: 1n }] }),
    openKeyring(),
  ]);
  onTestFinished(async () => {
    await Promise.all([staging.close(), production.close(), keyring.stop()]);
  });
  const env = { HOME: await makeFolder(), ...keyring.env };
  for (const [name, { url, key }] of Object.entries({ staging, production })) {
    await runBuilt(`env set ${name} --url ${url}`, { env });
    await runBuilt(`auth login --key-stdin --env ${name}`, { env, stdin: key });
  }
  const urls = { staging: staging.url, production: production.url };
  return { env, urls };
}

const switches = [
  ['env use production', 'production'],
  ['env use staging', 'staging'],
  ['env use production --for 30m', 'production'],
  ['env use production --for 10m', 'production'],
  ['env use staging --for 5m', 'staging'],
  ['env use staging', 'staging'],
  ['env use production', 'production'],
  ['env use staging --for 1h', 'staging'],
  ['env use production --for 1d', 'production'],
  ['env use staging', 'staging'],
] as const;

it.skipIf(!canOpenKeyring || !canRun('tmux'))(
  'ten switches between two services: after each the place is visible, and it is the one that responds',
  async () => {
    const { env, urls } = await openMachine();
    const terminal = await openRealTerminal(['sh'], env);
    for (const [index, [line, name]] of switches.entries()) {
      const commands = [line, 'list', 'env list'].map((words) => `${builtLine} ${words}`);
      await terminal.type(`clear; ${commands.join(' && ')} && echo done-$((${index}))`);
      await terminal.press('Enter');
      const shown = await terminal.waitForText(`\ndone-${index}\n`);
      const mark = name === 'production' ? ' · protected' : '';
      const until = line.includes('--for') ? / · until [\d: -]+\n/ : /(?<!until.*)\n/;
      const [header = ''] = shown.split('\n').filter((text) => text.startsWith(`${name} · `));
      expect(`${header}\n`).toMatch(until);
      expect(header).toContain(`${name} · ${urls[name]}${mark}`);
      expect(shown).toContain(name === 'production' ? 'Producer' : 'Stagehand');
      expect(shown).not.toContain(name === 'production' ? 'Stagehand' : 'Producer');
      // With all that is on the terminal, which tells a lost line from a wrong one.
      expect(shown, shown).toMatch(new RegExp(`^\\* +${name} `, 'm'));
      if (line.includes('--for'))
        expect(shown).toMatch(new RegExp(`^\\* +${name} .*\\d\\d:\\d\\d$`, 'm'));
    }
  },
);
