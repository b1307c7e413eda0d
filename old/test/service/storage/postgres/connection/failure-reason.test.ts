import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { explainOpening } from '../../../../../src/service/storage/postgres/connection/open-database.ts';
import { toStoreError } from '../../../../../src/service/storage/postgres/connection/store-error.ts';
import { StoreOpenError } from '../../../../../src/service/storage/store.ts';

const URL_TEXT = 'postgres://clerk@127.0.0.1/pets';

const silent =
  'nothing responds there: is the host right, and does a firewall block the connection?';
const untrusted = 'its certificate is not trusted: give the authority with sslrootcert=<file>';

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

/** By the code of the system, or the words of the driver. */
const driverFailures: readonly (readonly [code: string, message: string, reason: string])[] = [
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'no server listens there: is it running?'],
  ['ENOENT', 'connect ENOENT /run/s', 'no server listens there: is it running?'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND', 'there is no host of this name'],
  ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN', 'there is no host of this name'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map((code) => [code, code, silent] as const),
  ['', 'timeout expired', `${silent} (timeout expired)`],
  ['', 'the timeout expired', 'it sent an unexpected response (the timeout expired)'],
  ['', 'timeout expired twice', 'it sent an unexpected response (timeout expired twice)'],
  [
    '',
    'SASL: client password must be a string',
    'it requires a password: set PGPASSWORD (SASL: client password must be a string)',
  ],
  [
    '',
    'The server does not support SSL connections',
    'the server does not offer TLS: enable it there, or accept an unencrypted connection with ' +
      'sslmode=disable (The server does not support SSL connections)',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'of b', 'its certificate is for another host name (of b)'],
  ...[
    ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_UNKNOWN'],
  ].map((code) => [code, 'refused', `${untrusted} (refused)`] as const),
];

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
    ['57P03', 'it is starting or stopping: try again (so it is)'],
    [
      '08P01',
      'a connection pooler in front of it refuses settings: let it ignore statement_timeout, ' +
        'idle_in_transaction_session_timeout and options, or connect to the database itself (so it is)',
    ],
  ])('%s has one when a database is opened', async (code, reason) => {
    const error = serverError(code, 'so it is');
    for (const failure of [error, toStoreError(error)])
      expect(await describeOpening(failure)).toBe(
        `the database ${URL_TEXT} cannot be opened: ${reason}`,
      );
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

  it.each(driverFailures)(
    'that is not of the server has one by its code or words: %s %s',
    async (code, message, reason) => {
      const error = Object.assign(new Error(message), code !== '' && { code });
      expect(await describeOpening(error)).toBe(
        `the database ${URL_TEXT} cannot be opened: ${reason}`,
      );
    },
  );

  it('that has no words is called by its code', async () => {
    const silent = Object.assign(new Error(''), { code: 'CERT_HAS_EXPIRED' });
    expect(await describeOpening(silent)).toContain('(CERT_HAS_EXPIRED)');
  });

  it('is not judged by what the server says', async () => {
    const codes = [
      ...['28000', '3D000', '25006', '40001', '55P03', '57014', '53100', '53300', '53200', '26000'],
      ...['42P05', '08P01', '42501', '42P01', '42703', '42P10', 'XX001', '42P07', '57P03'],
      ...['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ALTNAME', 'CERT', 'timeout expired'],
      ...['password must be', 'does not support SSL', 'timeout expired'],
    ];
    for (const code of codes) {
      const message = `a relation named ${code}`;
      expect(await describeOpening(serverError('22000', message))).toContain(
        `it sent an unexpected response (${message})`,
      );
    }
  });
});
