/**
 * Characters that a terminal obeys or that nobody sees: controls, format characters (bidi among them), lone surrogates,
 * private and unassigned ones, line and paragraph separators, default-ignorables.
 * Created when it is used: reading such classes at every start would be slow.
 */
const unsafe = () => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const plain = /^[\x20-\x7e]*$/;

/** Joiners and selectors belong in an emoji (UTS #51, section 1.4.9) and are left there; tags only in a flag. */
const emoji = () =>
  /^(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[0-9#*]\ufe0f\u20e3|\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f})$/u;

/** Scripts whose letters change their form by these two: ZWNJ keeps neighbors apart in Persian, ZWJ joins them in Sinhala. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
];
const joiners = /[\u200c\u200d]/;
/** A joiner between two letters or marks of one of these scripts; two joiners in a row are not a spelling. */
const joinersInWords = () => {
  const letter = `[${joiningScripts.map((script) => `\\p{scx=${script}}`).join('')}]`;
  return new RegExp(
    `(?<=(?=[\\p{L}\\p{M}])${letter})[\\u200c\\u200d](?=(?=[\\p{L}\\p{M}])${letter})`,
    'gu',
  );
};

/** Splits into what a reader takes for one character. */
export function splitGraphemes(text: string): string[] {
  const segmenter = new Intl.Segmenter('en');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Text from others, made safe to print for people: what could not be seen, or could act on a terminal, becomes a visible symbol. */
export function showUnsafe(text: string): string {
  if (plain.test(text) || !unsafe().test(text)) return text;
  const spelled = joiners.test(text) ? findSpelledJoiners(text) : undefined;
  let start = 0;
  return splitGraphemes(text)
    .map((grapheme) => {
      const offset = start;
      start += grapheme.length;
      if (emoji().test(grapheme)) return grapheme;
      return grapheme.replace(unsafe(), (character, at: number) =>
        spelled?.has(offset + at) ? character : showCharacter(character),
      );
    })
    .join('');
}

/** Where the text has a joiner that belongs to the spelling of a word. */
function findSpelledJoiners(text: string): ReadonlySet<number> {
  return new Set(Array.from(text.matchAll(joinersInWords()), ({ index }) => index));
}

/** JSON text with every unsafe character written as `\u` escapes: the same value, safe to print. */
export function escapeUnsafe(json: string): string {
  if (plain.test(json) || !unsafe().test(json)) return json;
  return json.replace(unsafe(), (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
}

/** Controls have symbols of their own (from U+2400); the others are shown by number. */
function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
