import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsApiKey, formatApiKey, isApiKey } from '../../src/contract/api-key.ts';

const anySecret = () => fc.uint8Array({ minLength: 32, maxLength: 32 });
const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

describe('an API key', () => {
  it('is pst_, 43 letters of secret and 6 of checksum, whatever the secret', () => {
    expect(formatApiKey(new Uint8Array(32))).toMatch(/^pst_0{43}[0-9A-Za-z]{6}$/);
    expect(formatApiKey(new Uint8Array(32).fill(255))).toMatch(/^pst_[0-9A-Za-z]{49}$/);
    fc.assert(fc.property(anySecret(), (secret) => isApiKey(formatApiKey(secret))));
  });

  it('stays the same from release to release', () => {
    const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(formatApiKey(secret)).toBe('pst_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1Yo7hP');
  });

  it('differs for different secrets', () => {
    fc.assert(
      fc.property(anySecret(), anySecret(), (one, other) => {
        fc.pre(Buffer.compare(one, other) !== 0);
        expect(formatApiKey(one)).not.toBe(formatApiKey(other));
      }),
    );
  });

  it('is not one any more with a letter changed, left out, doubled, or swapped with the next', () => {
    const mistakes = (key: string, at: number, letter: string) => [
      key.slice(0, at) + letter + key.slice(at + 1),
      key.slice(0, at) + key.slice(at + 1),
      key.slice(0, at) + key.slice(at, at + 1).repeat(2) + key.slice(at + 1),
      key.slice(0, at) +
        key
          .slice(at, at + 2)
          .split('')
          .reverse()
          .join('') +
        key.slice(at + 2),
    ];
    fc.assert(
      fc.property(anySecret(), fc.nat(52), fc.constantFrom(...letters), (secret, at, letter) => {
        const key = formatApiKey(secret);
        for (const mistyped of mistakes(key, at, letter))
          if (mistyped !== key) expect(isApiKey(mistyped)).toBe(false);
      }),
    );
  });

  it.each([
    '',
    'pst_',
    'abc',
    `pst_${'0'.repeat(48)}`,
    `pst_${'0'.repeat(50)}`,
    `pst_${'é'.repeat(49)}`,
  ])('%j is none', (text) => {
    expect(isApiKey(text)).toBe(false);
  });

  const key = formatApiKey(Buffer.alloc(32, 7));
  const hidden = (text: string) => text.replace(key, '<key>');

  it.each(
    [`Rex ${key}, please`, `--name=${key}`, `job_${key}`, `Rex${key}-2`, `é${key}é`].map(hidden),
  )('is found in %s', (text) => expect(containsApiKey(text.replace('<key>', key))).toBe(true));

  it.each([`${key}x`, key.slice(0, -1), `pst_${key.slice(5)}`].map(hidden))(
    'is not found in %s',
    (text) => expect(containsApiKey(text.replace('<key>', key))).toBe(false),
  );
});
