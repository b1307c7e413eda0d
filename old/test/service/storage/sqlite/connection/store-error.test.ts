import { describe, expect, it } from 'vitest';
import {
  attempt,
  explainOpening,
  findReason,
  isBusy,
  isDiskFailure,
  isReadOnly,
  settle,
  toStoreError,
} from '../../../../../src/service/storage/sqlite/connection/store-error.ts';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOpenError,
  StoreUnavailableError,
} from '../../../../../src/service/storage/store.ts';

/** What the driver throws, which for some statements has no code. */
const sqliteError = (message: string, errcode?: number) =>
  Object.assign(new Error(message), errcode !== undefined && { errcode });

/** By SQLite's result codes (sqlite.org/rescode.html), the last of them extended ones. */
const reasons = [
  [3, 'access permission denied', 'its file may not be read or written'],
  [5, 'database is locked', 'another program is writing to it'],
  [6, 'database table is locked', 'another connection is writing to it'],
  [8, 'attempt to write a readonly database', 'it is read-only'],
  [10, 'disk I/O error', 'the disk fails'],
  [11, 'database disk image is malformed', 'it is damaged: restore a backup'],
  [13, 'database or disk is full', 'the disk is full'],
  [14, 'unable to open database file', 'its file cannot be opened or created'],
  [26, 'file is not a database', 'its file is not a SQLite database'],
  [5 + 256, 'database is locked', 'another program is writing to it'],
  [10 + 22 * 256, 'disk I/O error', 'the disk fails'],
] as const;

const bug = new TypeError('x is not a function');
const constraint = sqliteError('UNIQUE constraint failed: api_keys.hash', 2067);
const otherFailures = [
  ...['no such function: json_quote', 'this has no such table: pets', 'no such table: a b'],
  ...['this has no such column: json', 'no such column: a b'],
  ...['the table pets has no column named json', 'table pets has no column named a b'],
].map((message) => sqliteError(message, 1));
const noFolder = Object.assign(new Error("ENOENT: no such file or directory, open 'a'"), {
  ...{ code: 'ENOENT', syscall: 'open' },
});

describe('a failure of the database', () => {
  it.each(reasons)('%i: %s means: %s', (code, message, reason) => {
    for (const error of [sqliteError('in other words', code), sqliteError(message)]) {
      expect(findReason(error)).toBe(reason);
      const thrown = toStoreError(error);
      expect(thrown).toBeInstanceOf(StoreUnavailableError);
      expect(thrown).toMatchObject({
        message: `the database cannot be used: ${reason}`,
        cause: error,
      });
    }
  });

  it.each([
    ['no such table: write_trial', 'table write_trial'],
    ['no such table: found.pets', 'table pets'],
    ['no such column: pets.json', 'column pets.json'],
    ['table pets has no column named added_by', 'column pets.added_by'],
  ])('%s means damage, with its code and without', (message, part) => {
    const reason = `it is damaged (its ${part} is missing): restore a backup`;
    for (const error of [sqliteError(message, 1), sqliteError(message)]) {
      expect(findReason(error)).toBe(reason);
      expect(toStoreError(error)).toBeInstanceOf(StoreUnavailableError);
      expect(toStoreError(error)).toMatchObject({ cause: error });
    }
  });

  it('is malformed when SQLite says so of its file, damaged when a part is missing, and may pass otherwise', () => {
    for (const [code, message] of reasons) {
      const kind = [11, 26].includes(code & 0xff) ? StoreMalformedError : StoreUnavailableError;
      expect(toStoreError(sqliteError(message, code))).toMatchObject({ constructor: kind });
    }
    const missing = toStoreError(sqliteError('no such table: pets', 1));
    expect(missing).toMatchObject({ constructor: StoreDamagedError });
  });

  it.each([
    [isBusy, 5],
    [isReadOnly, 8],
    [isDiskFailure, 10],
  ])('%o is about code %i alone, extended or not', (judge, code) => {
    for (const [one] of reasons)
      expect(judge(sqliteError('some text', one))).toBe((one & 0xff) === code);
    for (const other of [bug, constraint, 'a text', undefined]) expect(judge(other)).toBe(false);
  });

  it('is told apart from other failures, which stay as they are', () => {
    const others = [bug, constraint, ...otherFailures, 'database is locked', undefined];
    for (const other of others) {
      expect(findReason(other)).toBeUndefined();
      expect(toStoreError(other)).toBe(other);
    }
    expect(findReason(noFolder)).toBe(noFolder.message);
    expect(toStoreError(noFolder)).toBe(noFolder);
  });

  it('is a StoreUnavailableError for whoever waits, and for whoever does not', async () => {
    const fail = () => {
      throw sqliteError('disk I/O error', 10);
    };
    await expect(settle(fail)).rejects.toThrow(StoreUnavailableError);
    expect(() => attempt(fail)).toThrow(StoreUnavailableError);
    expect(await settle(() => 1)).toBe(1);
    expect(attempt(() => 1)).toBe(1);
  });

  it('names the path when it is opened, unless the program failed', async () => {
    const open = (error: unknown) => explainOpening('a.db', () => Promise.reject(error));
    const cause = sqliteError('file is not a database', 26);
    await expect(open(cause)).rejects.toThrow(StoreOpenError);
    await expect(open(cause)).rejects.toMatchObject({
      message: 'cannot open the database a.db: its file is not a SQLite database',
      cause,
    });
    await expect(open(bug)).rejects.toBe(bug);
    expect(await explainOpening('a.db', async () => 1)).toBe(1);
  });
});
