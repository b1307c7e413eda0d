import { expect, it } from 'vitest';
import { wineVariables } from '../support/run-wine.ts';
import { openTestService } from '../support/service.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

// petstore.exe in a console of Wine, which draws a line in pieces: only what stands in one is waited for.
it.each(['typed', 'pasted'])(
  'first use loses nothing that is %s, and takes arrow keys',
  async (how) => {
    const service = await openTestService();
    const terminal = await openTerminalSession({ variables: wineVariables });
    const give = how === 'typed' ? terminal.type : terminal.paste;
    try {
      await terminal.run('petstore add');
      await terminal.waitForText('? Address of your pet store');
      await give(new URL(service.url).host);
      await terminal.press('Enter');
      await terminal.waitForText('(not shown)');
      await give(service.key);
      await terminal.press('Enter');
      await terminal.waitForText('> a store to try things in');
      await terminal.press('Down');
      await terminal.waitForText('> the real store');
      await terminal.press('Up');
      await terminal.waitForText('> a store to try things in');
      await terminal.press('Enter');
      await terminal.waitForText('? Name');
      await terminal.enter('Zoe');
      await terminal.waitForText('? Category');
      await terminal.enter('7');
      await terminal.waitForText('> available');
      await terminal.press('Down');
      await terminal.waitForText('> pending');
      await terminal.press('Enter');
      await terminal.waitForText('Added 1 Zoe (category 7, pending).');
      await terminal.waitForText('? Another');
      await terminal.press('Enter');
      expect(await terminal.waitForText(/exit \d/)).toContain('exit 0');
    } finally {
      await service.close();
    }
  },
);
