import { appendFile, writeFile } from 'node:fs/promises';
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
    await expect(openFileInput(folder, signal)).rejects.toThrow('is a folder, not a file');
  });

  it('refuses a file that is changed while it is read', async () => {
    const file = await writeInput('pets.csv', 'name,categoryId\n'.repeat(50_000));
    const { source } = await openExisting(file);
    const readChanging = async () => {
      let isChanged = false;
      for await (const _ of source.chunks) {
        if (!isChanged) await appendFile(file, 'Rex,1\n');
        isChanged = true;
      }
    };
    await expect(readChanging()).rejects.toThrow('was changed while it was read; nothing was sent');
  });
});
