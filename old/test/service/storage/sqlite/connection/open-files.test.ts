import { readdirSync, readlinkSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { backUpSqliteDatabase } from '../../../../../src/service/storage/sqlite/back-up-database.ts';
import { checkSqliteDatabase } from '../../../../../src/service/storage/sqlite/check-database.ts';
import { openConnection } from '../../../../../src/service/storage/sqlite/connection/open-connection.ts';
import {
  openDatabase,
  openExclusiveDatabase,
} from '../../../../../src/service/storage/sqlite/connection/open-database.ts';
import { openSqliteStore } from '../../../../../src/service/storage/sqlite/open-sqlite-store.ts';
import { makeFolder } from '../../../../support/make-folder.ts';

/** The files in a folder that this process has open. */
function listOpenFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(folder) ? [path.basename(file)] : [];
    } catch {
      // The one that listed the folder is closed by now.
      return [];
    }
  });
}

async function createFile(sql: string) {
  const folder = await makeFolder();
  const file = path.join(folder, 'petstore.db');
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return { folder, file };
}

describe.skipIf(process.platform !== 'linux')('a database that was refused', () => {
  it('of another program is held by nobody', async () => {
    const { folder, file } = await createFile('CREATE TABLE songs (title TEXT)');
    for (const open of [openDatabase, openExclusiveDatabase])
      expect(() => open(file)).toThrow('another program');
    expect(listOpenFiles(folder)).toEqual([]);
  });

  it('of a newer program may be served by another at once', async () => {
    const { folder, file } = await createFile(
      'PRAGMA application_id = 0x50455453; PRAGMA user_version = 99',
    );
    expect(() => openExclusiveDatabase(file)).toThrow('version 99');
    expect(listOpenFiles(folder)).not.toContain('petstore.db-lock');
  });

  it('that lacks its tables may be served by another at once', async () => {
    const { folder, file } = await createFile('');
    openExclusiveDatabase(file).close();
    const database = new DatabaseSync(file);
    database.exec('ALTER TABLE pets RENAME TO animals');
    database.close();
    await expect(openSqliteStore(file)).rejects.toThrow('its table pets is missing');
    expect(listOpenFiles(folder)).not.toContain('petstore.db-lock');
  });

  it('that is not one is held by nobody', async () => {
    const folder = await makeFolder();
    const file = path.join(folder, 'letter.db');
    await writeFile(file, 'this is a letter, not a database. '.repeat(100));
    for (const open of [openDatabase, openExclusiveDatabase, openConnection])
      expect(() => open(file)).toThrow('file is not a database');
    for (const open of [checkSqliteDatabase(file), backUp(folder, file)])
      await expect(open).rejects.toThrow('not a SQLite database');
    expect(listOpenFiles(folder)).toEqual([]);
  });
});

it.skipIf(process.platform !== 'linux')(
  'a database that was checked and backed up is held by nobody, and neither is its copy',
  async () => {
    const { file: made } = await createFile('');
    openExclusiveDatabase(made).close();
    const folder = await makeFolder();
    const file = path.join(folder, 'petstore.db');
    await copyFile(made, file);
    expect(await checkSqliteDatabase(file)).toEqual({ pets: 0, apiKeys: 0 });
    expect(await backUp(folder, file)).toEqual({ pets: 0, apiKeys: 0 });
    expect(listOpenFiles(folder)).toEqual([]);
  },
);

function backUp(folder: string, file: string) {
  return backUpSqliteDatabase(file, path.join(folder, 'copy.db'), new AbortController().signal);
}
