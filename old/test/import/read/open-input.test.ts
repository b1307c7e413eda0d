import { appendFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ImportInput,
  openFileInput,
  openStreamInput,
} from '../../../src/import/read/open-input.ts';
import { makeFolder } from '../../support/make-folder.ts';

async function writeInput(name: string, content: string): Promise<string> {
  const file = path.join(await makeFolder(), name);
  await writeFile(file, content);
  return file;
}

async function openExisting(file: string): Promise<ImportInput> {
  const input = await openFileInput(file, signal);
  if (input === undefined) throw new Error('there is no file');
  onTestFinished(input.close);
  return input;
}

function toStream(...texts: string[]): Readable {
  return Readable.from(texts.map((text) => Buffer.from(text)));
}

const { signal } = new AbortController();

describe('opening an input', () => {
  it.each([
    ['pets.csv', '[{', 'csv', false],
    ['pets.TSV', 'name', 'csv', false],
    ['pets.jsonl', 'name', 'ndjson', false],
    ['pets.ndjson', 'name', 'ndjson', false],
    ['pets.json', 'name', 'json', false],
    ['pets.txt', '\n [{"name"', 'json', true],
    ['pets.txt', '\uFEFF{"name"', 'ndjson', true],
    ['pets.txt', 'name,categoryId', 'csv', true],
    ['pets.txt', '', 'csv', true],
  ])('%s with %j is read as %s', async (name, content, format, isGuessed) => {
    const input = await openExisting(await writeInput(name, content));
    expect(input).toMatchObject({ format, isGuessed });
  });

  it('guesses from a stream whose first bytes come one by one', async () => {
    const input = await openStreamInput(toStream(' ', '\n', '[', ']'), signal);
    expect(input).toMatchObject({ format: 'json', name: 'stdin' });
    expect(input.path).toBeUndefined();
  });

  it('knows when there is no file, and refuses a folder', async () => {
    const folder = await makeFolder();
    expect(await openFileInput(path.join(folder, 'nothere.csv'), signal)).toBeUndefined();
    await expect(openFileInput(folder, signal)).rejects.toMatchObject({
      ...{ code: 'cli_file', message: `${folder} is a folder, not a file` },
    });
  });

  it('says why a file cannot be read', async () => {
    const file = path.join(await makeFolder(), 'x'.repeat(300));
    await expect(openFileInput(file, signal)).rejects.toMatchObject({
      ...{ code: 'cli_file', message: expect.stringContaining(`${file} cannot be read: `) },
      cause: expect.objectContaining({ code: 'ENAMETOOLONG' }),
    });
  });

  it('has a path and a size only for what can be read a second time', async () => {
    const file = await writeInput('pets.csv', 'name');
    expect(await openExisting(file)).toMatchObject({ name: file, path: file, size: 4 });
    const { name, path: again, size } = await openExisting('/dev/null');
    expect([name, again, size]).toEqual(['/dev/null', undefined, undefined]);
  });

  it('cannot be read on once it is closed', async () => {
    const file = await writeInput('pets.csv', 'name,categoryId\n'.repeat(50_000));
    const { source, close } = await openExisting(file);
    await close();
    const read = async () => {
      for await (const _ of source.chunks);
    };
    await expect(read()).rejects.toThrow();
  });

  const content = 'name,categoryId\n'.repeat(50_000);
  const then = new Date('2026-11-20T12:00:00Z');

  it.each([
    [
      'its length',
      (file: string) => appendFile(file, 'Rex,1\n').then(() => utimes(file, then, then)),
    ],
    ['its time', (file: string) => writeFile(file, content)],
  ])('refuses a file of which %s changes while it is read', async (_, change) => {
    const file = await writeInput('pets.csv', content);
    await utimes(file, then, then);
    const { source } = await openExisting(file);
    const readChanging = async () => {
      let isChanged = false;
      for await (const _ of source.chunks) {
        if (!isChanged) await change(file);
        isChanged = true;
      }
    };
    await expect(readChanging()).rejects.toMatchObject({
      code: 'cli_file',
      message: `${file} was changed while it was read; nothing was sent`,
    });
  });
});
