import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeUnsafe, showUnsafe } from '../../src/terminal/safe-text.ts';

describe('what could act on a terminal, or could not be seen, becomes visible', () => {
  it.each([
    ['an escape sequence', '\u001b[31mred', '␛[31mred'],
    ['a line break', 'a\nb', 'a␊b'],
    ['delete', 'a\u007f', 'a␡'],
    ['a C1 control', 'a\u009b', 'a<U+009B>'],
    ['a bidi override', 'a\u202eb', 'a<U+202E>b'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
    ['a zero-width space', 'a\u200bb', 'a<U+200B>b'],
    ['a joiner that hides in Latin', 'a\u200db', 'a<U+200D>b'],
    ['a lone surrogate', 'a\ud800', 'a<U+D800>'],
    ['a tag', 'a\u{e0041}', 'a<U+E0041>'],
  ])('%s', (_, text, shown) => {
    expect(showUnsafe(text)).toBe(shown);
  });
});

describe('what people write stays as it is', () => {
  it.each([
    ['an accent', 'Zoë e\u0301'],
    ['a family', '👩‍👩‍👧'],
    ['a heart', '❤\ufe0f'],
    ['a keycap', '7\ufe0f\u20e3'],
    ['Persian', 'می\u200cخواهم'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Thai', 'สวัสดี'],
  ])('%s', (_, text) => {
    expect(showUnsafe(text)).toBe(text);
  });
});

it('leaves no control, bidi or line separator in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(showUnsafe(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it('escapes JSON without changing its value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = escapeUnsafe(JSON.stringify(text));
      expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(json)).toBe(text);
    }),
  );
});
