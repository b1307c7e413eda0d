import { createHash } from 'node:crypto';

/** The SHA-256 under which a key is stored. A key has 256 random bits: nothing slower is needed against guessing. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
