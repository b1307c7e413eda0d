import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { isApiKey } from '../../contract/api-key.ts';
import { headers } from '../../contract/headers.ts';
import type { Int64 } from '../../contract/int64.ts';
import { formatKeyInfo, type KeyAccess } from '../../contract/key-info.ts';
import type { ApiKeyRecord, KeyStore } from '../storage/store.ts';

/** A valid key, made once per look-up and shared by all requests with it. */
export interface AcceptedKey {
  readonly id: Int64;
  readonly access: KeyAccess;
  /** Fields of every response to it: names and values in turn. */
  readonly fields: readonly string[];
}

/** What a request's Authorization header is worth. */
export type Verdict = AcceptedKey | 'missing' | 'invalid';

export interface Authenticator {
  /** Checks a header, without a promise when its key was looked up a moment ago. Rejects when the store cannot be read. */
  authenticate(authorization: string | undefined): Verdict | Promise<Verdict>;
}

/**
 * How long the result of a look-up is used, counted from its start: half of the second within which a revocation must
 * take effect.
 */
const TRUST_MS = 500;

/** Results kept at once; the oldest is dropped first. */
const TRUSTED_KEYS_LIMIT = 1_000;
const INVALID_KEYS_LIMIT = 4_096;

interface AuthenticatorContext {
  readonly store: Pick<KeyStore, 'findKey'>;
  readonly now: () => Date;
  /** Called with an accepted key whenever it was looked up in the store. */
  readonly noteUse: (id: Int64, at: Date) => void;
}

/** The SHA-256 under which a key is stored. A key has 256 random bits: nothing slower is needed against guessing. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Checks bearer keys (contract, section 5). Keys are looked up by their hash, so the time of a response can only leak
 * the hash of a guess, which its sender knows.
 */
export function createAuthenticator({ store, now, noteUse }: AuthenticatorContext): Authenticator {
  // On the clock of `performance.now`: the system clock can be set back, which would delay revocations.
  const trusted = createExpiringMap<AcceptedKey>(TRUSTED_KEYS_LIMIT);
  const invalid = createExpiringMap<'invalid'>(INVALID_KEYS_LIMIT);
  /** Look-ups in flight by hash: any number of requests with one key wait for the same one. */
  const running = new Map<string, { readonly since: number; readonly verdict: Promise<Verdict> }>();

  async function lookUp(authorization: string, hash: Buffer, since: number): Promise<Verdict> {
    const record = await store.findKey(hash);
    const at = now();
    if (record === undefined || record.revokedAt !== undefined) return 'invalid';
    const lifetime = (record.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - at.getTime();
    if (lifetime <= 0) return 'invalid';
    noteUse(record.id, at);
    const key = toAcceptedKey(record);
    trusted.set(authorization, key, Math.min(since + TRUST_MS, performance.now() + lifetime));
    return key;
  }

  function shareLookUp(authorization: string, hash: Buffer, id: string): Promise<Verdict> {
    const since = performance.now();
    const present = running.get(id);
    if (present !== undefined && since < present.since + TRUST_MS) return present.verdict;
    const own = {
      since,
      verdict: lookUp(authorization, hash, since)
        .then((verdict) => {
          if (verdict === 'invalid') invalid.set(id, verdict, since + TRUST_MS);
          return verdict;
        })
        .finally(() => {
          if (running.get(id) === own) running.delete(id);
        }),
    };
    running.set(id, own);
    return own.verdict;
  }

  return {
    authenticate(authorization) {
      if (authorization === undefined) return 'missing';
      const accepted = trusted.get(authorization);
      if (accepted !== undefined) return accepted;
      const key = /^bearer +([^ ]+)$/i.exec(authorization)?.[1];
      if (key === undefined) return 'missing';
      if (!isApiKey(key)) return 'invalid';
      const hash = hashApiKey(key);
      const id = hash.toString('latin1');
      return invalid.get(id) ?? shareLookUp(authorization, hash, id);
    },
  };
}

function toAcceptedKey(record: ApiKeyRecord): AcceptedKey {
  const { id, access } = record;
  return { id, access, fields: [headers.petstoreKey, formatKeyInfo(record)] };
}

/** A bounded map whose entries leave it at a time of their own, on the clock of `performance.now`. */
function createExpiringMap<Value>(limit: number) {
  const entries = new Map<string, { readonly value: Value; readonly expiry: number }>();
  return {
    get(name: string): Value | undefined {
      const entry = entries.get(name);
      return entry !== undefined && performance.now() < entry.expiry ? entry.value : undefined;
    },
    set(name: string, value: Value, expiry: number): void {
      // Set again, it is the youngest.
      entries.delete(name);
      const [oldest] = entries.keys();
      if (entries.size >= limit && oldest !== undefined) entries.delete(oldest);
      entries.set(name, { value, expiry });
    },
  };
}
