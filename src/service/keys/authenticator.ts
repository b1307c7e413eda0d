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

/** How long an accepted key is not looked up again: half of the second within which a revocation must take effect. */
const TRUST_MS = 500;

/** Trusted keys at once; the oldest is dropped first. */
const TRUSTED_KEYS_LIMIT = 1_000;

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
  /**
   * Until when each header is accepted without a hash or a query, on the clock of `performance.now`: the system clock can
   * be set back, which would delay revocations.
   */
  const trustedUntil = new Map<string, number>();

  async function lookUp(authorization: string, key: string): Promise<Verdict> {
    trustedUntil.delete(authorization);
    const record = isApiKey(key) ? await store.findKey(hashApiKey(key)) : undefined;
    if (record === undefined || record.revokedAt !== undefined) return 'invalid';
    const at = now();
    const lifetime = (record.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - at.getTime();
    if (lifetime <= 0) return 'invalid';
    noteUse(record.id, at);
    trust(authorization, performance.now() + Math.min(TRUST_MS, lifetime));
    return 'accepted';
  }

  function trust(authorization: string, until: number): void {
    const [oldest] = trustedUntil.keys();
    if (trustedUntil.size >= TRUSTED_KEYS_LIMIT && oldest !== undefined)
      trustedUntil.delete(oldest);
    trustedUntil.set(authorization, until);
  }

  return {
    authenticate(authorization) {
      if (authorization === undefined) return 'missing';
      if (performance.now() < (trustedUntil.get(authorization) ?? 0)) return 'accepted';
      const key = /^bearer +([^ ]+)$/i.exec(authorization)?.[1];
      return key === undefined ? 'missing' : lookUp(authorization, key);
    },
  };
}
