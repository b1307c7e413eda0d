import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeUnsafe, showUnsafe } from '../../../src/terminal/text/safe-text.ts';
import { anyCharacter } from '../../support/arbitraries.ts';

/** What a terminal obeys, or what nobody sees, outside an emoji. */
const dangerous = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({
    unit: fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u202e',
      '\u2066',
      '\u2028',
      '\0',
      '\n',
      '\u200d',
      '👩',
      '🏿',
      'a',
      '\ufe0f',
    ),
  }),
);

describe('text of others, shown to people', () => {
  it('never holds a character that a terminal obeys', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(showUnsafe(text)).not.toMatch(dangerous);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    [
      '\u001b]8;;https://evil.example\u0007Rex\u001b]8;;\u0007',
      '␛]8;;https://evil.example␇Rex␛]8;;␇',
    ],
    ['\u001b]52;c;cm0gLXJm\u0007', '␛]52;c;cm0gLXJm␇'],
    ['\u009b31m', '<U+009B>31m'],
    ['Rex\u202exeR', 'Rex<U+202E>xeR'],
    ['two\nlines\r\n', 'two␊lines␍␊'],
    ['nul\0', 'nul␀'],
    ['del\u007f', 'del␡'],
    ['a\u2028b\u2029c', 'a<U+2028>b<U+2029>c'],
    ['half\ud83d', 'half<U+D83D>'],
    ['zero\u200bwidth', 'zero<U+200B>width'],
    ['soft\u00adhyphen', 'soft<U+00AD>hyphen'],
    ['a\u200db', 'a<U+200D>b'],
    // Spellings: Persian "nemikhaham", Sinhala "sri", Hindi "ksha" without its ligature.
    [
      '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    ],
    ['\u0dc1\u0dca\u200d\u0dbb\u0dd3', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
    ['\u0915\u094d\u200c\u0937', '\u0915\u094d\u200c\u0937'],
    ['\u06cc\u200c', '\u06cc<U+200C>'],
    ['\u200c\u06cc', '<U+200C>\u06cc'],
    ['\u06cc\u200c\u200c\u062e', '\u06cc<U+200C><U+200C>\u062e'],
    ['\u06cc\u200ca', '\u06cc<U+200C>a'],
    ['\u06cc\u202e\u062e', '\u06cc<U+202E>\u062e'],
    ['\u{e0001}\u{e0041}', '<U+E0001><U+E0041>'],
    [
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ['👩‍👩‍👧‍👦'.repeat(200), '👩‍👩‍👧‍👦'.repeat(200)],
    ['🧑🏽‍🚀 👩‍🤝‍👩🏿', '🧑🏽‍🚀 👩‍🤝‍👩🏿'],
    // In one grapheme with an emoji, but not part of it: what joins to the next or to the one before, and a hidden letter.
    ['\u0600👍', '<U+0600>👍'],
    ['👍\u200c', '👍<U+200C>'],
    ['👍\u{e0041}', '👍<U+E0041>'],
    ['❤️ 👍🏽 1️⃣ 🇩🇪', '❤️ 👍🏽 1️⃣ 🇩🇪'],
    ['Zoë Ångström 山田　太郎 Łukasz е́', 'Zoë Ångström 山田　太郎 Łukasz е́'],
    ['=HYPERLINK("x")', '=HYPERLINK("x")'],
  ])('%j is shown as %j', (text, shown) => {
    expect(showUnsafe(text)).toBe(shown);
  });
});

describe('JSON text, made safe to print', () => {
  it('is the same value and holds nothing that a terminal obeys or nobody sees', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = escapeUnsafe(JSON.stringify({ [text]: text }));
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 2000 },
    );
  });
});
