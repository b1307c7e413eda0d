import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Long enough to tell keys apart, too short to find a key by guessing: many would match. In bytes. */
const length = 4;

/** A salted hash of a key, `<salt>:<hash>`, that recognizes the same key and reveals none. */
export function createFingerprint(key: string, salt = randomBytes(8).toString('hex')): string {
  return `${salt}:${scryptSync(key, salt, length).toString('hex')}`;
}

export function isFingerprintOf(fingerprint: string, key: string): boolean {
  const [salt] = fingerprint.split(':');
  const actual = Buffer.from(createFingerprint(key, salt));
  const known = Buffer.from(fingerprint);
  return actual.length === known.length && timingSafeEqual(actual, known);
}
