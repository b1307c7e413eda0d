import { describe, expect, it } from 'vitest';
import { createQuote } from '../../src/client/quote.ts';

describe('the text of a service in an error', () => {
  it('has every occurrence of the key redacted, also as a URL writes it', () => {
    const quote = createQuote('key/with+signs');
    expect(quote('a key/with+signs b key%2Fwith%2Bsigns c key/with+signs')).toBe(
      'a [redacted] b [redacted] c [redacted]',
    );
  });

  it('loses no letters to a key that is too short to be one', () => {
    expect(createQuote('abcde')('abcde')).toBe('abcde');
    expect(createQuote('abcdef')('abcdef')).toBe('[redacted]');
    expect(createQuote('')('abc')).toBe('abc');
  });

  it.each([
    [5, 'abcde', 'abcde'],
    [5, 'abcdef', 'abcde…'],
    [5, 'abcd😀', 'abcd…'],
    [6, 'abcd😀', 'abcd😀'],
    [6, 'abcd😀e', 'abcd😀…'],
  ])('at %i units, %s is %s', (maxLength, text, shown) => {
    expect(createQuote('')(text, maxLength)).toBe(shown);
  });

  it('is at most a thousand units long', () => {
    expect(createQuote('')('x'.repeat(1_000))).toBe('x'.repeat(1_000));
    expect(createQuote('')('x'.repeat(1_001))).toBe(`${'x'.repeat(1_000)}…`);
  });

  it('is redacted before it is cut', () => {
    expect(createQuote('secret-key')('12345 secret-key', 10)).toBe('12345 [red…');
  });
});
