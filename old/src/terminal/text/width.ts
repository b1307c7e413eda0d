import { eastAsianWidth } from 'get-east-asian-width';
import { splitGraphemes } from './safe-text.ts';

// Created when they are used: reading such classes at every start would be slow.
const emoji = () => /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\ufe0f\u20e3/u;
const takesNoSpace = () => /^[\p{M}\p{Cf}]+$/u;

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

/** Lines no wider than `room`, but for a word that is. The text must be safe to print. */
export function foldText(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measureWidth(longer) <= room) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

function measureGrapheme(grapheme: string): number {
  if (takesNoSpace().test(grapheme)) return 0;
  if (emoji().test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}
