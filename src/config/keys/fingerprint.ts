import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Long enough to tell keys apart, too short to find a key by guessing: many would match. In bytes. */
const length = 4;

/** A salted trace of a key, `<salt>:<hash>`, by which the same key is recognised and from which no key is won. */
export function makeFingerprint(key: string, salt = randomBytes(8).toString('hex')): string {
  return `${salt}:${scryptSync(key, salt, length).toString('hex')}`;
}

export function isFingerprintOf(fingerprint: string, key: string): boolean {
  const [salt] = fingerprint.split(':');
  const made = Buffer.from(makeFingerprint(key, salt));
  const known = Buffer.from(fingerprint);
  return made.length === known.length && timingSafeEqual(made, known);
}
