import { splitGraphemes } from './safe-text.ts';

/** First and last code points that take two columns: East Asian Wide and Fullwidth (UAX #11), large blocks joined. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\ufe0f\u20e3/u;
const takesNoSpace = /^[\p{M}\p{Cf}]+$/u;

/** How many columns of a terminal a text takes. It must not hold control characters. */
export function measureWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return splitGraphemes(text).reduce((sum, grapheme) => sum + measureGrapheme(grapheme), 0);
}

/** Shortens to at most so many columns, the last of them `…`. A character is never split. */
export function shorten(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let kept = '';
  let used = 1;
  for (const grapheme of splitGraphemes(text)) {
    used += measureGrapheme(grapheme);
    if (used > columns) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

function measureGrapheme(grapheme: string): number {
  if (takesNoSpace.test(grapheme)) return 0;
  if (emoji.test(grapheme)) return 2;
  const code = grapheme.codePointAt(0) ?? 0;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
