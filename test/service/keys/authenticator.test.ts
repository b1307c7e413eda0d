import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { createAuthenticator } from '../../../src/service/keys/authenticator.ts';
import type { ApiKeyRecord } from '../../../src/service/storage/store.ts';

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
    const verdict = await authenticator.authenticate(header);
    return typeof verdict === 'string' ? verdict : 'accepted';
  };
  return { ask, waiting };
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

  it('does not ask the store about what is not a key', () => {
    const { ask, waiting } = createSlowStore();
    void ask('Bearer pst_short');
    expect(waiting).toHaveLength(0);
  });
});
