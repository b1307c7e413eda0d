import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatApiKey, isApiKey } from '../../src/contract/api-key.ts';
import { formatKeyInfo, keyAccesses, parseKeyInfo } from '../../src/contract/headers.ts';

const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('an API key', () => {
  it('is pst_, 43 letters of secret and 6 of checksum, the same from release to release', () => {
    const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(formatApiKey(secret)).toBe('pst_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1Yo7hP');
    fc.assert(fc.property(anySecret, (bytes) => isApiKey(formatApiKey(bytes))));
  });

  it('is not one any more with a letter changed, left out, doubled, or swapped with the next', () => {
    fc.assert(
      fc.property(
        anySecret,
        fc.nat(52),
        fc.stringMatching(/^[0-9A-Za-z]$/),
        (bytes, at, letter) => {
          const key = formatApiKey(bytes);
          const [own, next] = [key.charAt(at), key.charAt(at + 1)] as const;
          const [before, after] = [key.slice(0, at), key.slice(at + 2)] as const;
          const mistyped = [letter + next, next, own + own + next, next + own];
          for (const middle of mistyped) {
            const text = before + middle + after;
            if (text !== key) expect(isApiKey(text)).toBe(false);
          }
        },
      ),
    );
  });

  it.each(['', 'pst_', `pst_${'0'.repeat(49)}`, `pst_${'0'.repeat(50)}`])('%j is none', (text) => {
    expect(isApiKey(text)).toBe(false);
  });
});

describe('Petstore-Key', () => {
  it('is read as it was written, to the second', () => {
    const seconds = fc.option(fc.integer({ min: 0, max: 2 ** 33 }), { nil: undefined });
    fc.assert(
      fc.property(fc.constantFrom(...keyAccesses), seconds, (access, second) => {
        const expiresAt = second === undefined ? undefined : new Date(second * 1000);
        const read = parseKeyInfo(formatKeyInfo({ access, expiresAt }));
        expect(read).toEqual(expiresAt === undefined ? { access } : { access, expiresAt });
      }),
    );
  });

  it.each([
    ['access=read,expires=@0', { access: 'read', expiresAt: new Date(0) }],
    ['later=1.5, access=read;p=1, x', { access: 'read' }],
    ['access=write, expires=never', { access: 'write' }],
  ])('%s is read, whatever else is in it', (text, info) => {
    expect(parseKeyInfo(text)).toEqual(info);
  });

  it.each(['', 'access', 'access=admin', 'ACCESS=read', 'expires=@1'])(
    '%j says nothing',
    (text) => {
      expect(parseKeyInfo(text)).toBeUndefined();
    },
  );
});
