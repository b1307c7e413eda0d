import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { isApiKey } from '../../contract/api-key.ts';
import type { Int64 } from '../../contract/int64.ts';
import type { KeyStore } from '../storage/store.ts';

/** Whether a request's Authorization header gives access. */
export type Verdict = 'accepted' | 'missing' | 'invalid';

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
  const trusted = createExpiringSet(TRUSTED_KEYS_LIMIT);
  const invalid = createExpiringSet(INVALID_KEYS_LIMIT);
  /** Look-ups in flight by hash: any number of requests with one key wait for the same one. */
  const running = new Map<string, { readonly since: number; readonly verdict: Promise<Verdict> }>();

  async function lookUp(authorization: string, hash: Buffer, since: number): Promise<Verdict> {
    const record = await store.findKey(hash);
    const at = now();
    if (record === undefined || record.revokedAt !== undefined) return 'invalid';
    const lifetime = (record.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - at.getTime();
    if (lifetime <= 0) return 'invalid';
    noteUse(record.id, at);
    trusted.add(authorization, Math.min(since + TRUST_MS, performance.now() + lifetime));
    return 'accepted';
  }

  function shareLookUp(authorization: string, hash: Buffer, id: string): Promise<Verdict> {
    const since = performance.now();
    const present = running.get(id);
    if (present !== undefined && since < present.since + TRUST_MS) return present.verdict;
    const own = {
      since,
      verdict: lookUp(authorization, hash, since)
        .then((verdict) => {
          if (verdict === 'invalid') invalid.add(id, since + TRUST_MS);
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
      if (trusted.has(authorization)) return 'accepted';
      const key = /^bearer +([^ ]+)$/i.exec(authorization)?.[1];
      if (key === undefined) return 'missing';
      if (!isApiKey(key)) return 'invalid';
      const hash = hashApiKey(key);
      const id = hash.toString('latin1');
      return invalid.has(id) ? 'invalid' : shareLookUp(authorization, hash, id);
    },
  };
}

/** A bounded set whose members leave it at a time of their own, on the clock of `performance.now`. */
function createExpiringSet(limit: number) {
  const expiries = new Map<string, number>();
  return {
    has: (member: string): boolean => performance.now() < (expiries.get(member) ?? 0),
    add(member: string, expiry: number): void {
      // Set again, it is the youngest.
      expiries.delete(member);
      const [oldest] = expiries.keys();
      if (expiries.size >= limit && oldest !== undefined) expiries.delete(oldest);
      expiries.set(member, expiry);
    },
  };
}
