import fc from 'fast-check';
import { eastAsianWidth } from 'get-east-asian-width';
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
    // Marks without a letter, and a format character that joins to the next one.
    ['\u0301', 0],
    ['\u0301\u0302', 0],
    ['\u06001', 1],
  ])('%s takes %i', (text, columns) => {
    expect(measureWidth(text)).toBe(columns);
  });
});

describe('the ranges of wide characters (UAX #11, W and F)', () => {
  const isWide = (code: number) => code <= 0x10ffff && eastAsianWidth(code) === 2;
  const codes = Array.from({ length: 0x110000 }, (_, code) => code);
  const firsts = codes.filter((code) => isWide(code) && !isWide(code - 1));
  const lasts = codes.filter((code) => isWide(code) && !isWide(code + 1));
  /**
   * Our own rules come before East Asian Width: combining marks and format characters take no column, and an emoji takes
   * two, a lone half of a flag too.
   */
  const isOurOwn = (code: number) =>
    /[\p{M}\p{Cf}\p{Emoji_Presentation}]/u.test(String.fromCodePoint(code));
  const findWrong = (tested: number[], columns: number) =>
    tested
      .filter((code) => !isOurOwn(code))
      .filter((code) => measureWidth(String.fromCodePoint(code)) !== columns)
      .map((code) => `U+${code.toString(16)}`);

  it('take two columns from the first to the last character', () => {
    expect(firsts.length).toBeGreaterThan(100);
    expect(findWrong([...firsts, ...lasts], 2)).toEqual([]);
  });

  it('take one column just outside', () => {
    const outside = [...firsts.map((code) => code - 1), ...lasts.map((code) => code + 1)];
    expect(findWrong(outside, 1)).toEqual([]);
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
