import { appendFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { openShell } from './shell.ts';

/** A terminal as somebody has set it up. */
interface Screen {
  columns: number;
  env: Record<string, string>;
}

const screens: readonly Screen[] = [
  { columns: 40, env: { NO_COLOR: '1' } },
  { columns: 80, env: {} },
  { columns: 200, env: {} },
  { columns: 80, env: { ACCESSIBLE: '1' } },
];
const record = process.env.PETSTORE_TEST_RECORD;

/** All of them with `npm run test:screens`, which also records what was seen; the narrowest and the plainest else. */
export const chosenScreens = record ? screens : screens.filter((_, index) => index % 3 === 0);

/** A person at a shell, whose keys and starts of the program are counted. */
export async function sitDown(
  { columns, env }: Screen,
  more: Record<string, string> = {},
  folder?: string,
) {
  const shell = await openShell({ ...env, ...more }, { columns });
  if (folder !== undefined) await shell.run(`cd ${folder}; clear`);
  const count = { keys: 0, enters: 0, starts: 0 };
  return {
    count,
    async enter(text = '') {
      const isStart = text.startsWith('petstore');
      await (isStart ? shell.run(text) : shell.answer(text));
      count.keys += text.length + 1;
      count.enters += 1;
      if (isStart) count.starts += 1;
    },
    async stop() {
      await shell.press('C-c');
      count.keys += 1;
    },
    async see(text: string | RegExp) {
      const shown = await shell.waitForText(text);
      expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
      return shown;
    },
    /** Not counted: only so that what comes next is seen alone. */
    clear: shell.clear,
    async keep(title: string) {
      const shown = await shell.read();
      const head = `== ${title}, ${columns} columns ${JSON.stringify(env)}: ${JSON.stringify(count)}`;
      if (record) await appendFile(record, `${head}\n${shown}\n\n`);
    },
  };
}

/** Words of a message, wherever its lines are broken. */
export function words(text: string): RegExp {
  return new RegExp(text.replace(/[.?()]/g, '\\$&').replaceAll(' ', '\\s+'));
}
