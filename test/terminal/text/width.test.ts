import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureWidth, shorten } from '../../../src/terminal/text/width.ts';

describe('the columns a text takes', () => {
  it.each([
    ['', 0],
    ['Rex', 3],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['山田', 4],
    ['한글', 4],
    ['ﾊﾝｶｸ', 4],
    ['ＡＢ', 4],
    ['👍', 2],
    ['👍🏽', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['1️⃣', 2],
    ['🪿', 2],
    ['…', 1],
    ['␛', 1],
    ['नमस्ते', 3],
    ['ที่', 1],
  ])('%s takes %i', (text, columns) => {
    expect(measureWidth(text)).toBe(columns);
  });
});

describe('shortening', () => {
  it.each([
    ['Rex', 3, 'Rex'],
    ['Rexina', 4, 'Rex…'],
    ['山田太郎', 6, '山田…'],
    ['山田太郎', 5, '山田…'],
    ['Zoe\u0308lle', 4, 'Zoe\u0308…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…'],
  ])('%s to %i columns is %s', (text, columns, short) => {
    expect(shorten(text, columns)).toBe(short);
  });

  it('never takes more columns than allowed and never changes what fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 20 }),
        (text, columns) => {
          const short = shorten(text, columns);
          expect(measureWidth(short)).toBeLessThanOrEqual(columns);
          if (measureWidth(text) <= columns) expect(short).toBe(text);
        },
      ),
    );
  });
});
