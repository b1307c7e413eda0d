import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import {
  isConflict,
  isConnectionUnusable,
  reportMissingCounter,
  toStoreError,
} from '../../../../../src/service/storage/postgres/connection/store-error.ts';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../../../src/service/storage/store.ts';

const lost = new Error('read ECONNRESET');

function serverError(code: string): DatabaseError {
  return Object.assign(new DatabaseError('so it is', 8, 'error'), { code });
}

describe('a failed statement in PostgreSQL', () => {
  it.each([
    [StoreMalformedError, ['XX001', 'XX002']],
    [StoreDamagedError, ['42P01', '42703', '42P10']],
    [StoreUnavailableError, ['25006', '53100', '42501', '40001', '40P01', '57014']],
    [StoreOutcomeUnknownError, ['08006', '25P03', '25P04', '57P01', '58030', '40003']],
  ])('is a %o of the store for %j', (kind, codes) => {
    for (const code of codes) {
      const cause = serverError(code);
      expect(toStoreError(cause)).toMatchObject({ constructor: kind, cause });
    }
  });

  it.each(['23505', '22008', 'X57P1', 'X5803', '25P02'])('stays as it is for %s', (code) => {
    const error = serverError(code);
    expect(toStoreError(error)).toBe(error);
  });

  it('is of unknown outcome when the connection was lost', () => {
    const error = toStoreError(lost);
    expect(error).toBeInstanceOf(StoreOutcomeUnknownError);
    expect(error).toMatchObject({
      message: 'the connection to the database was lost',
      cause: lost,
    });
  });

  it('is what it was when it is known already', () => {
    const known = new StoreUnavailableError('the database cannot be reached');
    expect(toStoreError(known)).toBe(known);
  });

  it('is of unknown outcome when it is a COMMIT, unless that was a rollback', () => {
    for (const code of ['53100', '22023', '40003', '57P01'])
      expect(toStoreError(serverError(code), true)).toMatchObject({
        constructor: StoreOutcomeUnknownError,
        message: `the database failed while it was used (${code})`,
      });
    expect(toStoreError(serverError('40001'), true)).toMatchObject({
      constructor: StoreUnavailableError,
    });
    const refused = serverError('23503');
    expect(toStoreError(refused, true)).toBe(refused);
  });

  it('can be retried at once after a conflict', () => {
    for (const code of ['40001', '40P01']) expect(isConflict(serverError(code))).toBe(true);
    for (const error of [serverError('40003'), serverError('23505'), lost, undefined])
      expect(isConflict(error)).toBe(false);
  });

  it.each(['08006', '25P03', '57P01', '58030', '25006', '26000', '42P05'])(
    'ends the use of its connection for %s',
    (code) => {
      expect(isConnectionUnusable(serverError(code))).toBe(true);
    },
  );

  it('ends the use of a connection that was lost, and of no other', () => {
    expect(isConnectionUnusable(lost)).toBe(true);
    for (const code of ['23505', '53100', '40001', '42P01'])
      expect(isConnectionUnusable(serverError(code))).toBe(false);
  });

  it('names the counter that somebody deleted', () => {
    expect(reportMissingCounter()).toMatchObject({
      constructor: StoreDamagedError,
      message:
        'the database cannot be used now: it is damaged (its counter of ids is missing): restore a backup',
    });
  });
});
