import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSimilarFile } from '../../../src/import/read/similar-file.ts';
import { makeFolder } from '../../support/make-folder.ts';

describe('the file that a mistyped path means', () => {
  it.each([
    ['pest.csv', 'pets.csv'],
    ['pets', 'pets.csv'],
    ['pet.csv', 'pets.csv'],
    ['notes.md', undefined],
    ['delivery.csv', undefined],
  ])('%s: %s, of those that can be imported', async (typed, meant) => {
    const folder = await makeFolder();
    for (const name of ['pets.csv', 'notes.txt']) await writeFile(path.join(folder, name), '');
    const found = await findSimilarFile(path.join(folder, typed));
    expect(found).toBe(meant && path.join(folder, meant));
  });

  it('is named as it was typed', async () => {
    const folder = await makeFolder();
    await writeFile(path.join(folder, 'pets.csv'), '');
    const typed = `${folder}/../${path.basename(folder)}/pest.csv`;
    expect(await findSimilarFile(typed)).toBe(typed.replace('pest', 'pets'));
  });

  it('is none where there is no folder', async () => {
    expect(await findSimilarFile(path.join(await makeFolder(), 'no', 'pets.csv'))).toBeUndefined();
  });
});
