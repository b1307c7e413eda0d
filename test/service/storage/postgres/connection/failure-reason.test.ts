import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { explainOpening } from '../../../../../src/service/storage/postgres/connection/open-database.ts';
import { toStoreError } from '../../../../../src/service/storage/postgres/connection/store-error.ts';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOpenError,
  StoreUnavailableError,
} from '../../../../../src/service/storage/store.ts';

const URL_TEXT = 'postgres://clerk@127.0.0.1/pets';

function serverError(code: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}

/** What `serve` and `db` commands say when their first statements fail so. */
async function describeOpening(failure: unknown): Promise<string> {
  const error = await explainOpening(URL_TEXT, () => Promise.reject(failure)).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreOpenError);
  return error instanceof Error ? error.message : '';
}

describe('a failure of PostgreSQL has one reason, when a database is opened and while it is used', () => {
  it.each([
    ['40001', 'could not serialize', 'writers conflicted (could not serialize)'],
    ['57014', 'canceled', 'it did not respond in time (canceled)'],
    ['25006', 'no INSERT', 'it is read-only, as a replica is: use the primary (no INSERT)'],
    ['53100', 'could not extend file', 'its disk is full (could not extend file)'],
    ['53200', 'out of memory', 'it has no resources left (out of memory)'],
    ['53300', 'too many', 'it has no connection left: raise max_connections (too many)'],
    [
      '28P01',
      'refused',
      'user name or password is wrong, or pg_hba.conf does not allow this user from here (refused)',
    ],
    ['3D000', 'absent', 'there is no database of this name: create it with createdb (absent)'],
    [
      '26000',
      'no s1',
      'a pooler in front of it shares sessions: it must be in session mode (no s1)',
    ],
    [
      '42501',
      'permission denied',
      'its user lacks a right: GRANT SELECT, INSERT, UPDATE, DELETE on the tables to that user (permission denied)',
    ],
    [
      '42P01',
      'no pets',
      'a table is missing, or its user cannot see it (no pets): ' +
        'check search_path and the right USAGE on the schema; otherwise restore a backup',
    ],
    ['42703', 'no column access', 'it is damaged (no column access): restore a backup'],
    ['42P10', 'no constraint', 'it is damaged (no constraint): restore a backup'],
    ['XX001', 'invalid page', 'it is damaged (invalid page): restore a backup'],
    ['XX002', 'not an index', 'it is damaged (not an index): restore a backup'],
    [
      '42P07',
      'pets exists',
      'it has a table of this name already (pets exists): ' +
        'give petstore a database or schema of its own, or restore a backup if the table is of petstore',
    ],
  ])('%s', async (code, message, reason) => {
    const error = serverError(code, message);
    const used = toStoreError(error);
    expect(used).toMatchObject({ message: `the database cannot be used now: ${reason}` });
    const opening = `the database ${URL_TEXT} cannot be opened: ${reason}`;
    expect(await describeOpening(error)).toBe(opening);
    expect(await describeOpening(used)).toBe(opening);
  });

  it.each([
    [StoreMalformedError, ['XX001', 'XX002']],
    [StoreDamagedError, ['42P01', '42703', '42P10']],
    [StoreUnavailableError, ['25006', '53100', '42501']],
  ])('is a %o of the store for %j', (kind, codes) => {
    for (const code of codes)
      expect(toStoreError(serverError(code, 'so it is'))).toMatchObject({ constructor: kind });
  });

  it.each([
    ['57P01', 'the database failed while it was used (57P01)'],
    ['XX000', 'it sent an unexpected response (terminating)'],
  ])('without one in words, what the store says of it is kept: %s', async (code, reason) => {
    const error = toStoreError(serverError(code, 'terminating'));
    expect(await describeOpening(error)).toBe(
      `the database ${URL_TEXT} cannot be opened: ${reason}`,
    );
  });

  it('that is not of the server has one by the code of the system, or the words of the driver', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(await describeOpening(refused)).toMatch(/: no server listens there: is it running\?$/);
    const silent = Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' });
    expect(await describeOpening(silent)).toContain('nothing responds there');
    expect(await describeOpening(new Error('timeout expired'))).toContain(
      'nothing responds there: is the host right',
    );
  });
});
