import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { openHeldText } from '../../../src/terminal/records/held-text.ts';
import { makeFolder } from '../../support/make-folder.ts';

/** A page of a list, with characters of one to four bytes. */
const page = 'Mrs Whiskers, Müller, 猫, 🐈\n'.repeat(300);
const LONG = 1_000;

/** Where temporary files are created until the test is over. */
function useTemporaryFolder(folder: string): string {
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

/** Holds so many pages, each with its number. */
async function holdPages(count: number) {
  const held = openHeldText();
  onTestFinished(held.close);
  for (let number = 0; number < count; number += 1) await held.add(`${number}: ${page}`);
  return held;
}

function listPages(count: number): string {
  return Array.from({ length: count }, (_, number) => `${number}: ${page}`).join('');
}

async function readAll(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

describe('text that is held back', () => {
  it.each([0, 1, 20, 200, LONG])('of %i pages is the same at the end', async (count) => {
    const held = await holdPages(count);
    expect((await readAll(held.read())).join('') === listPages(count)).toBe(true);
  });

  it('is cut only between what was added, or half a secret would not be redacted', async () => {
    const held = await holdPages(LONG);
    const pieces = await readAll(held.read());
    expect(pieces.length).toBeGreaterThan(50);
    expect(pieces.filter((piece) => !/^(\d+: Mrs .*🐈\n)?$/s.test(piece))).toEqual([]);
  });

  it('needs no file while it is short', async () => {
    useTemporaryFolder('/nowhere');
    const held = await holdPages(50);
    expect((await readAll(held.read())).join('') === listPages(50)).toBe(true);
  });

  it('that is long is in a file that nobody else can open, and that is gone when it is closed', async () => {
    const folder = useTemporaryFolder(await makeFolder());
    const held = await holdPages(LONG);
    expect(readdirSync(folder)).toEqual([]);
    const hasList = existsSync('/proc/self/fd');
    if (hasList) expect(listOpen(folder)).toHaveLength(1);
    await held.close();
    if (hasList) expect(listOpen(folder)).toEqual([]);
  });

  it('that finds no place names the folder, the reason and the way out', async () => {
    useTemporaryFolder('/nowhere');
    const failure = await holdPages(LONG).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({
      code: 'cli_file',
      message: 'A temporary file in /nowhere cannot be used: there is no such file or folder',
      details: [expect.anything(), expect.stringContaining('--ndjson')],
    });
  });
});

/** What this process has open below a folder, its name gone or not. */
function listOpen(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(path.join('/proc/self/fd', descriptor));
      return target.startsWith(folder) ? [target] : [];
    } catch {
      // That of the folder being read.
      return [];
    }
  });
}
