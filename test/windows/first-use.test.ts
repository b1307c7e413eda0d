import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { toWindows, windowsPrograms, wineVariables } from '../support/run-wine.ts';
import { openTestService } from '../support/service.ts';
import { openTerminalSession } from '../support/terminal-session.ts';

const cases = Object.entries(windowsPrograms).flatMap(([name, program]) =>
  ['typed', 'pasted'].map((how) => ({ name, program, how })),
);

// In a console of Wine, which draws a line in pieces: only what stands in one is waited for.
it.each(cases)(
  'first use of $name loses nothing that is $how, and takes arrow keys',
  async ({ program, how }) => {
    const service = await openTestService();
    const terminal = await openTerminalSession({ variables: wineVariables });
    const give = how === 'typed' ? terminal.type : terminal.paste;
    try {
      const words = program.map((word) => `"${word.startsWith('/') ? toWindows(word) : word}"`);
      // Wine's console has no title of its own: see scripts/test-windows.ts.
      const lines = `@title petstore\r\n@${words.join(' ')} add\r\n`;
      await writeFile(path.join(terminal.home, 'first-use.cmd'), lines);
      await terminal.run('wine cmd /c first-use.cmd; echo "exit $?"');
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
