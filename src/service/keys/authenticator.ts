import { createHash } from 'node:crypto';
import { isApiKey } from '../../contract/api-key.ts';
import type { Int64 } from '../../contract/int64.ts';
import type { KeyStore } from '../store.ts';

/** What a request's Authorization header is worth. */
type Verdict = 'accepted' | 'missing' | 'invalid';

export interface Authenticator {
  /** Judges a header, at once when its key was asked for a moment ago. Rejects when the store cannot be asked. */
  authenticate(authorization: string | undefined): Verdict | Promise<Verdict>;
}

/** How long an accepted key is not asked for again: half of the second within which a revocation must count. */
const TRUST_MS = 500;

/** Keys remembered at once; the oldest goes first. */
const REMEMBERED_KEYS = 1_000;

interface Accepted {
  readonly id: Int64;
  /** When to ask the store again, in milliseconds since the epoch. */
  readonly trustedUntil: number;
}

/** The SHA-256 under which a key is stored. A key has 256 random bits: nothing slower is needed against guessing. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/**
 * Judges bearer keys (contract, section 5). Keys are looked up by their hash, so what an answer's time could leak
 * is the hash of a guess, which its sender knows.
 */
export function createAuthenticator(
  store: Pick<KeyStore, 'findKey'>,
  now: () => number,
): Authenticator {
  const accepted = new Map<string, Accepted>();

  async function askStore(authorization: string, key: string): Promise<Verdict> {
    accepted.delete(authorization);
    const record = isApiKey(key) ? await store.findKey(hashApiKey(key)) : undefined;
    if (record === undefined || record.revokedAt !== undefined) return 'invalid';
    const expiry = record.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (expiry <= now()) return 'invalid';
    remember(authorization, { id: record.id, trustedUntil: Math.min(now() + TRUST_MS, expiry) });
    return 'accepted';
  }

  function remember(authorization: string, entry: Accepted): void {
    const oldest = accepted.keys().next().value;
    if (accepted.size >= REMEMBERED_KEYS && oldest !== undefined) accepted.delete(oldest);
    accepted.set(authorization, entry);
  }

  return {
    authenticate(authorization) {
      if (authorization === undefined) return 'missing';
      const known = accepted.get(authorization);
      if (known !== undefined && now() < known.trustedUntil) return 'accepted';
      const key = /^bearer +([^ ]+)$/i.exec(authorization)?.[1];
      return key === undefined ? 'missing' : askStore(authorization, key);
    },
  };
}
