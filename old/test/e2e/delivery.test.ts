import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startKeeper } from '../commands/import/support.ts';
import { canRun } from '../support/can-run.ts';
import { chosenScreens, sitDown, words } from '../support/clerk.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService } from '../support/service.ts';
import { stagingAt } from '../support/staging.ts';
import { waitFor } from '../support/wait-for.ts';

/** A spreadsheet as a clerk might save it: ten rows, each with a mistake of its own. */
const mistakes = [
  ['', '7', 'sold'],
  ['Rex', '', 'sold'],
  ['Bella', 'dog', 'sold'],
  ['Luna', '7.5', 'sold'],
  ['Milo', '1E+15', 'sold'],
  ['Coco', '9223372036854775808', 'sold'],
  ['Nemo', '7', 'avaliable'],
  ['"Two\nlines"', '7', 'sold'],
  ['Mrs, Whiskers', '7', 'sold'],
  ['The "dog', '7', 'sold'],
];
const corrected = mistakes.map((_, row) => [`Pet ${row + 1}`, '7', 'Sold']);

function toCsv(rows: readonly (readonly string[])[]): string {
  return `Name,Category,Status\r\n${rows.map((row) => `${row.join(',')}\r\n`).join('')}`;
}

async function writeDelivery(content: string) {
  const folder = await makeFolder();
  const file = path.join(folder, 'delivery.csv');
  await writeFile(file, content);
  return { folder, file };
}

describe.skipIf(!canRun('tmux'))('a delivery from a spreadsheet', () => {
  it.each(chosenScreens)(
    'ten kinds of mistakes, then a clean import: $columns columns, $env',
    async (screen) => {
      const service = await startService();
      onTestFinished(service.close);
      const { folder, file } = await writeDelivery(toCsv(mistakes));
      const staging = stagingAt(service.url, service.key);
      const { enter, see, clear, keep, count } = await sitDown(screen, staging, folder);
      await enter('petstore import delivery.csv');
      await see(words('The "dog|quote that is not doubled'));
      await see('exit 2');
      await keep('a spreadsheet with ten kinds of mistakes');
      await clear();
      await writeFile(file, toCsv(corrected));
      await enter('petstore import delivery.csv');
      await see(words('Add 10 pets to staging?'));
      await enter('y');
      await see(words('Added 10 pets to staging.'));
      await see('exit 0');
      await keep('and its clean import');
      expect(count).toMatchObject({ starts: 2, enters: 3 });
    },
  );

  it.each(chosenScreens)('interrupted, then resumed: $columns columns, $env', async (screen) => {
    const gate = new EventEmitter();
    const opened = once(gate, 'open');
    const keeper = await startKeeper(async (sent) => {
      if (sent > 40) await opened;
    });
    const rows = Array.from({ length: 214 }, (_, row) => [`Guppy ${row + 1}`, '12', '']);
    const { folder } = await writeDelivery(toCsv(rows));
    const { enter, see, stop, keep, count } = await sitDown(screen, keeper.env, folder);
    await enter('petstore import delivery.csv');
    await see(words('Add 214 pets to staging?'));
    await enter('y');
    await waitFor(async () => expect(keeper.sent()).toBeGreaterThan(40));
    await stop();
    await see(words('Stopping: requests in flight are finishing'));
    gate.emit('open');
    await see(words('Stopped:'));
    await see('exit 130');
    await enter('petstore import delivery.csv');
    await see(words('Resume it?'));
    await enter('y');
    await see(words('Added 214 pets to staging.'));
    await see('exit 0');
    await keep('interrupted import, resumed');
    expect(new Set(keeper.names()).size).toBe(214);
    expect(count).toMatchObject({ starts: 2, enters: 4 });
  });
});
