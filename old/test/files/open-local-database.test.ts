import { rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  DatabaseLockedError,
  type LocalDatabaseOptions,
  openLocalDatabase,
} from '../../src/files/open-local-database.ts';
import { makeFolder } from '../support/make-folder.ts';
import { canTrace, listUnsynced, traceRun } from '../support/trace-files.ts';

function open(options: Partial<LocalDatabaseOptions> & { file: string }) {
  const schema = 'CREATE TABLE local.words (word TEXT)';
  const database = openLocalDatabase({ schema, version: 1, ...options });
  onTestFinished(database.close);
  return database;
}

const countWords = (file: string) => open({ file }).prepare('SELECT * FROM words').all().length;

describe('a local database', () => {
  it('is created once, in a private folder and file, whatever its path', async () => {
    const file = path.join(await makeFolder(), "it's", 'words.db');
    open({ file }).exec("INSERT INTO words VALUES ('one')");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(countWords(file)).toBe(1);
  });

  it('stores all of a transaction or nothing', async () => {
    const file = path.join(await makeFolder(), 'words.db');
    const database = open({ file });
    const failure = new Error('halfway');
    const work = () => {
      database.exec("INSERT INTO words VALUES ('one')");
      throw failure;
    };
    expect(() => database.transact(work)).toThrow(failure);
    expect(countWords(file)).toBe(0);
  });

  it('held exclusively, is refused to others until it is closed, statements or not', async () => {
    const file = path.join(await makeFolder(), 'words.db');
    const database = open({ file, isExclusive: true });
    const statement = database.prepare('SELECT * FROM words');
    statement.all();
    expect(() => open({ file, isExclusive: true })).toThrow(DatabaseLockedError);
    database.close();
    open({ file, isExclusive: true }).close();
    await rename(file, `${file}.renamed`);
    expect(() => statement.all()).toThrow();
  });

  it.each([
    ['a newer', 2, 1],
    ['an older', 1, 2],
  ])('of %s version is refused, with what is lost by moving it away', async (age, written, own) => {
    const file = path.join(await makeFolder(), 'words.db');
    open({ file, version: written }).close();
    expect(() => open({ file, version: own, loss: 'it holds words' })).toThrow(
      expect.objectContaining({
        message: `${file} is from ${age} version of petstore`,
        details: ['that version can still use it', 'it holds words'],
        next: [`mv '${file}' '${file}.bak'`],
      }),
    );
  });

  it('that is none is refused in words', async () => {
    const file = path.join(await makeFolder(), 'words.db');
    await writeFile(file, 'words, words, words'.repeat(1_000));
    expect(() => open({ file })).toThrow(`${file} cannot be used: it is not a SQLite database`);
    await rm(file);
  });
});

describe.skipIf(!canTrace)('a commit that returned survives a power cut', () => {
  const commit = `
    import { openLocalDatabase } from './src/files/open-local-database.ts';
    const [, file, options] = process.argv;
    const schema = 'CREATE TABLE local.words (word TEXT)';
    const database = openLocalDatabase({ file, schema, version: 1, ...JSON.parse(options) });
    console.log('created');
    database.transact(() => database.exec("INSERT INTO words VALUES ('one')"));
    console.log('stored');
  `;

  it.each<[string, Partial<LocalDatabaseOptions>]>([
    ['with a rollback journal', {}],
    ['held exclusively', { isExclusive: true }],
    ['with a log', { hasLog: true }],
  ])('%s', async (_, options) => {
    const file = path.join(await makeFolder(), 'words.db');
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', commit];
    const words = [...node, file, JSON.stringify(options)];
    const { steps } = await traceRun(words, { env: {} });
    const ofDatabase = steps.filter(
      (step) => step.file.startsWith(path.dirname(file)) && !step.file.endsWith('-shm'),
    );
    for (const said of ['created', 'stored']) {
      const at = steps.findIndex(({ kind, text }) => kind === 'write' && text.includes(`"${said}`));
      const before = ofDatabase.filter((step) => steps.indexOf(step) < at);
      expect(before.map(({ kind }) => kind)).toContain('write');
      expect(listUnsynced(before)).toEqual([]);
    }
  });
});
