import type { Place } from './row.ts';

/** One JSON value of a file as its own text, at its place. */
export interface JsonElement extends Place {
  text: string;
  /** Why nothing can be read from here on; `text` is empty then and no element follows. */
  mistake?: string;
}

/** More than any row the service would take (64 KiB a body). */
const MAX_LENGTH = 128 * 1024;
const tooLong = `is longer than ${MAX_LENGTH / 1024} KiB`;

const notAnArray = 'the file must be an array of objects, [{…}, …]';

/**
 * Cuts the elements out of a JSON array that arrives in pieces, without parsing them: each is small enough for
 * `parseJson`, which loses no digit, where a streaming parser makes doubles of the numbers and keeps no place.
 */
export async function* splitArray(
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  let place: Place = { line: 1, column: 1 };
  let state: 'before' | 'empty' | 'inside' | 'after' = 'before';
  let held = '';
  const refuse = (mistake: string): JsonElement => ({ text: '', ...place, mistake });
  const drop = (length: number) => {
    place = advance(place, held.slice(0, length));
    held = held.slice(length);
  };

  for await (const piece of pieces) {
    held += piece;
    for (;;) {
      drop(held.length - held.trimStart().length);
      if (held === '') break;
      if (state === 'after') return yield refuse('text follows after the end of the array');
      if (state === 'before') {
        if (held[0] !== '[') return yield refuse(notAnArray);
        state = 'empty';
        drop(1);
        continue;
      }
      const end = findElementEnd(held);
      if (end === -1 && held.length > MAX_LENGTH) return yield refuse(`an element ${tooLong}`);
      if (end === -1) break;
      if (held[end] === '}') return yield refuse('a brace is closed that was never opened');
      const text = held.slice(0, end).trimEnd();
      const isLast = held[end] === ']';
      if (text !== '') yield { text, ...place };
      else if (state !== 'empty' || !isLast) return yield refuse('a value is missing');
      state = isLast ? 'after' : 'inside';
      drop(end + 1);
    }
  }
  if (state === 'before') yield refuse(notAnArray);
  else if (state !== 'after') yield refuse('the file ends before its array does');
}

/** The index of the comma or bracket after the element at the start, or -1 when the text ends first. */
function findElementEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = findStringEnd(text, at);
      if (at === -1) return -1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']' || character === ',') {
      if (depth === 0) return at;
      if (character !== ',') depth -= 1;
    }
  }
  return -1;
}

/** The index of the quote that closes the string opened at `open`, or -1. */
function findStringEnd(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** The place after a text that begins at `place`. */
export function advance({ line, column }: Place, text: string): Place {
  const last = text.lastIndexOf('\n');
  if (last === -1) return { line, column: column + text.length };
  return { line: line + text.split('\n').length - 1, column: text.length - last };
}

/** The lines of NDJSON from text that arrives in pieces; blank ones are skipped, LF and CRLF both end a line. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  let line = 0;
  for await (const raw of splitText(pieces)) {
    line += 1;
    const text = raw.trim();
    const column = raw.length - raw.trimStart().length + 1;
    if (raw.length > MAX_LENGTH)
      return yield { text: '', line, column, mistake: `a line ${tooLong}` };
    if (text !== '') yield { text, line, column };
  }
}

async function* splitText(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held = '';
  for await (const piece of pieces) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    yield* lines;
    // Returned as it is, and refused as too long: what has no end must not fill the memory.
    if (held.length > MAX_LENGTH) break;
  }
  if (held !== '') yield held;
}
