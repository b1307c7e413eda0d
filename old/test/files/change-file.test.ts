import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeFile } from '../../src/files/change-file.ts';
import { makeFolder } from '../support/make-folder.ts';

async function writeNote(text: string): Promise<string> {
  const file = path.join(await makeFolder(), 'note');
  await writeFile(file, text);
  return file;
}

function change(file: string, text = 'new'): Promise<void> {
  return changeFile(file, () => text, 'try elsewhere');
}

describe('changing a file', () => {
  it('is given its text, and undefined for a file that does not exist yet', async () => {
    const file = path.join(await makeFolder(), 'note');
    await changeFile(file, (text) => `${text} 1`, '');
    await changeFile(file, (text) => `${text} 2`, '');
    expect(await readFile(file, 'utf8')).toBe('undefined 1 2');
  });

  it('creates it and its folder for its owner alone', async () => {
    const file = path.join(await makeFolder(), 'petstore', 'note');
    await change(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing beside it', async () => {
    const file = await writeNote('old');
    await change(file);
    expect(await readdir(path.dirname(file))).toEqual(['note']);
  });

  it('takes over the lock of a process that died', async () => {
    const file = await writeNote('old');
    await writeFile(`${file}.lock`, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    await change(file);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(path.dirname(file))).toEqual(['note']);
  });

  it('follows a link instead of replacing it', async () => {
    const file = await writeNote('old');
    const linked = path.join(await makeFolder(), 'note');
    await symlink(file, linked);
    await change(linked);
    expect(await readFile(file, 'utf8')).toBe('new');
  });

  it('leaves the text and no lock when the change throws', async () => {
    const file = await writeNote('old');
    const refuse = () => {
      throw new RangeError('not like this');
    };
    await expect(changeFile(file, refuse, '')).rejects.toThrow(RangeError);
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(path.dirname(file))).toEqual(['note']);
  });

  it('leaves nothing behind when the last step fails, and says what to do', async () => {
    const folder = await makeFolder();
    const file = path.join(folder, 'note');
    await mkdir(file);
    await expect(change(file)).rejects.toMatchObject({
      code: 'cli_file',
      details: ['try elsewhere'],
    });
    expect(await readdir(folder)).toEqual(['note']);
  });
});
