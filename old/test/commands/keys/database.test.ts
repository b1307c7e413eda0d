import { readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasStore } from '../../../src/service/storage/databases.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { runPetstore } from '../../support/run-program.ts';
import { createDatabase, openDatabase } from './open-database.ts';

describe('the database of the keys commands', () => {
  it.each([
    [
      ['create', '--name', 'till 3', '--expires', '90d'],
      "create --name 'till 3' --expires 7776000s",
    ],
    [['list'], undefined],
    [['revoke', '1'], undefined],
  ])('is not created by %j', async (words, rerun) => {
    const folder = await makeFolder();
    const database = `sqlite:${folder}/petstore.db`;
    const { stdout, stderr, exitCode } = await runPetstore([
      'keys',
      ...words,
      '--database',
      database,
    ]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    const hint = rerun && `Try:  petstore keys ${rerun} --new --database ${database}\n`;
    expect(stderr).toBe(
      `Error: There is no database ${database}\n` +
        '  name the one that the service uses with --database or PETSTORE_SERVE_DATABASE\n' +
        (hint ?? ''),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not created in an empty file', async () => {
    const file = `${await makeFolder()}/petstore.db`;
    await writeFile(file, '');
    const { exitCode } = await runPetstore(['keys', 'list', '--database', `sqlite:${file}`]);
    expect(exitCode).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('');
  });

  it('is created by --new, which says so, and used when it is there', async () => {
    const database = `sqlite:${await makeFolder()}/new/petstore.db`;
    const create = (name: string) =>
      runPetstore(['keys', 'create', '--new', '--name', name, '--database', database]);
    expect((await create('till')).stderr).toBe(
      `Created the database ${database}\nCreated key 1 ("till") in ${database}. It is not shown again.\n`,
    );
    expect((await create('audit')).stderr).toBe(
      `Created key 2 ("audit") in ${database}. It is not shown again.\n`,
    );
  });

  it('is named in every success, for scripts too', async () => {
    const { run, database } = await openDatabase();
    for (const words of [['create', '--name', 'till'], ['list'], ['revoke', '1']]) {
      expect((await run(['keys', ...words])).stderr).toContain(database);
      const { stderr } = await run(['keys', ...words, '--json']);
      expect(JSON.parse(stderr)).toMatchObject({ type: 'notice', database });
    }
  });

  it.skipIf(findPostgresObstacle())('is shown without its password', async () => {
    const { url, drop } = await createTestSchema();
    onTestFinished(drop);
    await expect(hasStore(url)).resolves.toBe(false);
    const { username, password, host } = new URL(url);
    for (const words of [
      ['create', '--name', 'till'],
      ['create', '--name', 'till', '--new'],
      ['list'],
      ['revoke', '1'],
      ['revoke', '7'],
    ]) {
      const { stderr } = await runPetstore(['keys', ...words, '--database', url]);
      expect(stderr).toContain(`postgres://${username}:…@${host}`);
      expect(stderr).not.toContain(password);
    }
  });

  it('stays the same in the line to try', async () => {
    const database = await createDatabase('pets of till 3.db');
    const { stderr } = await runPetstore(['keys', 'revoke', '7', '--database', database]);
    expect(stderr).toBe(
      `Error: There is no key 7 in ${database}\nTry:  petstore keys list --database '${database}'\n`,
    );
  });

  it('is named when it cannot be opened', async () => {
    const { stderr, exitCode } = await runPetstore([
      'keys',
      'list',
      '--database',
      'sqlite:/dev/null/x.db',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('/dev/null');
    const unknown = await runPetstore(['keys', 'list', '--database', 'mysql://root:secret@db/x']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain(
      '--database must be sqlite:<path> or postgres://user@host/database, not a URL of mysql:',
    );
    expect(unknown.stderr).not.toContain('secret');
  });
});
