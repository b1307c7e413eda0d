/**
 * What a terminal would obey or nobody would see: control, format (bidi among them), private and unassigned characters, lone
 * surrogates, line separators, default-ignorables. A function, since compiling such a class takes time at every start.
 */
const unsafe = () => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const plain = /^[\x20-\x7e]*$/;

/** Joiners and selectors are part of an emoji (UTS #51, section 1.4.9). */
const emoji = () =>
  /^(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[0-9#*]\ufe0f\u20e3)$/u;

/** A joiner between two letters is spelling in Persian or Sinhala; in these three scripts it only hides. */
const spelledJoiner = () => {
  const letter = String.raw`(?!\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic})[\p{L}\p{M}]`;
  return new RegExp(`(?<=${letter})[\\u200c\\u200d](?=${letter})`, 'gu');
};

/** Text from elsewhere for people: what could act on the terminal, or could not be seen, becomes a visible symbol. */
export function showUnsafe(text: string): string {
  if (plain.test(text) || !unsafe().test(text)) return text;
  const spelled = new Set(Array.from(text.matchAll(spelledJoiner()), ({ index }) => index));
  return Array.from(new Intl.Segmenter('en').segment(text))
    .map(({ segment, index }) =>
      emoji().test(segment)
        ? segment
        : segment.replace(unsafe(), (character, at: number) =>
            spelled.has(index + at) ? character : showCharacter(character),
          ),
    )
    .join('');
}

/** JSON text with every unsafe character as a `\u` escape: the same value. */
export function escapeUnsafe(json: string): string {
  if (plain.test(json)) return json;
  return json.replace(unsafe(), (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Controls have symbols of their own, from U+2400; the others are shown by number. */
function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
