import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { canRun } from '../support/can-run.ts';
import { makeFolder } from '../support/make-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const kept = path.join(root, 'docs/pictures');

async function readPictures(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const read = async (name: string) => [name, await readFile(path.join(folder, name), 'utf8')];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

it.skipIf(!canRun('tmux', 'jq'))(
  'the pictures show what the program does today; if not: npm run pictures',
  async () => {
    const folder = await makeFolder();
    const words = ['--import', 'tsx', 'scripts/pictures.ts', folder];
    await promisify(execFile)(process.execPath, words, { cwd: root });
    const drawn = await readPictures(folder);
    expect(Object.keys(drawn).length).toBeGreaterThan(3);
    expect(drawn).toEqual(await readPictures(kept));
  },
  120_000,
);
