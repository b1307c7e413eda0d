import { showUnsafe } from './safe-text.ts';

/** Text up to the first Enter, as the key that a prompt knows, and what is behind it. */
export function splitAtEnter(text: string): { before: string; enter: string; after: string } {
  const at = text.search(/[\r\n]/);
  if (at === -1) return { before: text, enter: '', after: '' };
  const after = text.slice(at).replace(/^(?:\r\n|\r|\n)/, '');
  return { before: text.slice(0, at), enter: '\r', after };
}

/** What was typed or pasted, by line; `last` has no Enter behind it. Blank lines are skipped. */
export function splitTyped(text: string): { lines: readonly string[]; last: string } {
  // Keys that are no text: arrows, and the marks around what is pasted.
  const plain = text.replace(escapeSequence, '').replace(/(?![\t\r\n])\p{Cc}/gu, '');
  const lines = plain.split(/\r\n|\r|\n/);
  const last = lines.pop() ?? '';
  return { lines: lines.filter((line) => line.trim() !== ''), last };
}

const escapeSequence = /\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Z])/g;

const SHOWN_LINES = 3;

/** Says what was typed and is not used. @param isHidden for what may be a key. */
export function nameUnused(lines: readonly string[], isHidden = false): string {
  if (lines.length === 0) return 'Not used: blank lines.';
  const shown = isHidden ? [] : lines.slice(0, SHOWN_LINES).map(nameLine);
  const rest = lines.length - shown.length;
  const more = shown.length === 0 ? '' : ' more';
  const counted = rest === 0 ? [] : [`${rest}${more} line${rest === 1 ? '' : 's'}`];
  return `Not used: ${listWords([...shown, ...counted])}.`;
}

/** A long word may be a key, which nobody else may see. */
function nameLine(line: string): string {
  if (/\S{20}/.test(line)) return `a line of ${line.length} characters`;
  return JSON.stringify(showUnsafe(line.trim()));
}

/** `one, two and three` */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
