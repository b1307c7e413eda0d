import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sqliteEngine } from '../../../../src/service/storage/sqlite/sqlite-engine.ts';
import { makeFolder } from '../../../support/make-folder.ts';

it.each([
  ['sqlite:petstore.db', true],
  ['sqlite::memory:', true],
  ['sqlite:\n', true],
  ['sqlite:', false],
  ['postgres://host/sqlite:x', false],
])('%j names a SQLite database: %s', (url, isOne) => {
  expect(sqliteEngine.matches(url)).toBe(isOne);
});

it.each([
  ['is not there', async () => {}, false],
  ['was never written', (file: string) => writeFile(file, ''), false],
  ['has content', (file: string) => writeFile(file, 'something'), true],
  ['cannot be looked at, which opening it explains', (file: string) => symlink(file, file), true],
])('a file that %s', async (_, create, isStore) => {
  const file = path.join(await makeFolder(), 'petstore.db');
  await create(file);
  expect(await sqliteEngine.hasStore(`sqlite:${file}`)).toBe(isStore);
});

it('a link that leads to itself is said to be one when it is opened', async () => {
  const file = path.join(await makeFolder(), 'petstore.db');
  await symlink(file, file);
  await expect(sqliteEngine.openStore(`sqlite:${file}`, { isShared: true })).rejects.toThrow(
    new RegExp(`^cannot open the database ${file}: ELOOP`),
  );
});
