import { describe, expect, it } from 'vitest';
import {
  accountFor,
  environmentOf,
  type KeyRecord,
  originOf,
  readRecordInfo,
  readRecords,
  toRecordInfo,
} from '../../../src/config/keys/key-records.ts';

const end = new Date('2027-01-01T00:00:00Z');
const record: KeyRecord = {
  ...{ storage: 'file', storedAt: '2026-11-20T00:00:00Z', lastFour: 'abcd', fingerprint: 'f' },
};

describe('what the service said of a key', () => {
  it.each([
    [undefined, {}],
    [{ access: 'read' }, { access: 'read' }],
    [
      { access: 'write', expiresAt: end },
      { access: 'write', expiresAt: end.toISOString() },
    ],
  ] as const)('%j is remembered as %j, and read as it was', (info, members) => {
    expect(toRecordInfo(info)).toEqual(members);
    expect(readRecordInfo({ ...record, ...members })).toEqual(info);
  });

  it('is nothing without a record, and has no end when the end is not a time', () => {
    expect(readRecordInfo(undefined)).toBeUndefined();
    expect(readRecordInfo({ ...record, access: 'read', expiresAt: 'soon' })).toEqual({
      access: 'read',
    });
  });
});

describe('the account of a key', () => {
  it('is the environment and the origin of its URL', () => {
    const account = accountFor({ name: 'staging', url: 'https://pets.example:8443/shop/v1' });
    expect(account).toBe('staging@https://pets.example:8443');
    expect(environmentOf(account)).toBe('staging');
    expect(originOf(account)).toBe('https://pets.example:8443');
  });

  it('finds its record', () => {
    expect(readRecords({})).toEqual(new Map());
    expect(readRecords({ keys: { a: record } })).toEqual(new Map([['a', record]]));
  });
});
