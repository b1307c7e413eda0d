import { measureWidth } from '../../text/width.ts';

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
