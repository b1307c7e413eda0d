import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { createAuthenticator } from '../../../src/service/keys/authenticator.ts';
import type { ApiKeyRecord } from '../../../src/service/storage/store.ts';
import { within } from '../../support/within.ts';

const createdAt = new Date('2026-11-20T12:00:00Z');
const valid: ApiKeyRecord = {
  ...{ id: 1n, name: 'till', access: 'write', createdAt },
  ...{ lastUsedAt: undefined, expiresAt: undefined, revokedAt: undefined },
};

/** A store whose look-ups are finished by the test, one after another. */
function createSlowStore() {
  const waiting: ((record: ApiKeyRecord | undefined) => void)[] = [];
  const authenticator = createAuthenticator({
    store: { findKey: () => new Promise((resolve) => waiting.push(resolve)) },
    now: () => createdAt,
    noteUse: () => {},
  });
  const ask = async (header: string) => {
    const looked = Promise.resolve(authenticator.authenticate(header));
    const verdict = await within(looked, 'a verdict on the header');
    return typeof verdict === 'string' ? verdict : 'accepted';
  };
  return { authenticator, ask, waiting };
}

const anyHeader = () => `Bearer ${formatApiKey(randomBytes(32))}`;

describe('looking up keys', () => {
  let time = 0;
  beforeEach(() => {
    time = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
  });

  it.each([
    ['valid', valid, 'accepted'],
    ['unknown', undefined, 'invalid'],
  ] as const)(
    'asks the store once for all requests with one %s key',
    async (_, record, verdict) => {
      const { ask, waiting } = createSlowStore();
      const header = anyHeader();
      const verdicts = Array.from({ length: 1_000 }, () => ask(header));
      expect(waiting).toHaveLength(1);
      waiting[0]?.(record);
      expect(new Set(await Promise.all(verdicts))).toEqual(new Set([verdict]));
      expect(await ask(header)).toBe(verdict);
      expect(waiting).toHaveLength(1);
    },
  );

  it('asks again after half a second, counted from the start of the look-up', async () => {
    for (const record of [valid, undefined]) {
      const { ask, waiting } = createSlowStore();
      const header = anyHeader();
      const first = ask(header);
      time += 499;
      waiting[0]?.(record);
      const verdict = await first;
      expect(await ask(header)).toBe(verdict);
      time += 1;
      const second = ask(header);
      expect(waiting).toHaveLength(2);
      waiting[1]?.(record);
      await second;
    }
  });

  it('does not join a look-up that started half a second ago: the key may be revoked since', async () => {
    const { ask, waiting } = createSlowStore();
    const header = anyHeader();
    const early = ask(header);
    time += 500;
    const late = ask(header);
    expect(waiting).toHaveLength(2);
    waiting[1]?.({ ...valid, revokedAt: createdAt });
    waiting[0]?.(valid);
    expect([await early, await late]).toEqual(['accepted', 'invalid']);
    expect(await ask(header)).toBe('invalid');
  });

  it('joins the younger of two look-ups, also after the older has ended', async () => {
    const { ask, waiting } = createSlowStore();
    const header = anyHeader();
    const early = ask(header);
    time += 500;
    const late = ask(header);
    waiting[0]?.(undefined);
    await early;
    time += 499;
    const joined = ask(header);
    expect(waiting).toHaveLength(2);
    waiting[1]?.(valid);
    expect([await late, await joined]).toEqual(['accepted', 'accepted']);
  });

  it('remembers 4,096 invalid keys at most, and drops the oldest first', async () => {
    let count = 0;
    const authenticator = createAuthenticator({
      store: {
        findKey: async () => {
          count += 1;
          return undefined;
        },
      },
      now: () => createdAt,
      noteUse: () => {},
    });
    const headers = Array.from({ length: 4_097 }, anyHeader);
    for (const header of headers) await authenticator.authenticate(header);
    expect(count).toBe(4_097);
    expect(authenticator.authenticate(headers[1])).toBe('invalid');
    await authenticator.authenticate(headers[0]);
    expect(count).toBe(4_098);
  });

  it.each([
    ['no header', undefined, 'missing'],
    ['no key after the scheme', 'Bearer ', 'missing'],
    ['another scheme', 'Basic YTpi', 'missing'],
    ['another scheme that ends alike', `X-${anyHeader()}`, 'missing'],
    ['something after the key', `${anyHeader()} again`, 'missing'],
    ['what is not a key', 'Bearer pst_short', 'invalid'],
  ])('does not ask the store about %s', (_, header, verdict) => {
    const { authenticator, waiting } = createSlowStore();
    expect(authenticator.authenticate(header)).toBe(verdict);
    expect(waiting).toHaveLength(0);
  });
});
