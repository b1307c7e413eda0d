/** One element of a JSON array as its own text, at a place counted from 1. */
export interface JsonElement {
  text: string;
  line: number;
  column: number;
  /** Why nothing can be read from here on; `text` is empty then and no element follows. */
  mistake?: string;
}

/** More than any row the service would take (64 KiB a body). */
const MAX_ELEMENT_LENGTH = 128 * 1024;

const notAnArray = 'the file must be an array of objects, [{…}, …]';

/**
 * Cuts the elements out of a JSON array that arrives in pieces, without parsing them: each is small enough for
 * `parseJson`, which loses no digit, where a streaming parser makes doubles of the numbers and keeps no place.
 */
export async function* splitJsonArray(
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  const place = createPlace();
  const refuse = (mistake: string): JsonElement => ({ text: '', ...place.now(), mistake });
  let state: 'before' | 'empty' | 'inside' | 'after' = 'before';
  let held = '';

  for await (const piece of pieces) {
    held += piece;
    let from = 0;
    for (;;) {
      const start = from + (/^\s*/.exec(held.slice(from, from + 1024))?.[0].length ?? 0);
      place.pass(held, from, start);
      from = start;
      if (from === held.length) break;
      if (state === 'after') return yield refuse('text follows after the end of the array');
      if (state === 'before') {
        if (held[from] !== '[') return yield refuse(notAnArray);
        state = 'empty';
        place.pass(held, from, from + 1);
        from += 1;
        continue;
      }
      const end = findElementEnd(held, from);
      if (end === -1) {
        if (held.length - from > MAX_ELEMENT_LENGTH)
          return yield refuse(`an element is longer than ${MAX_ELEMENT_LENGTH / 1024} KiB`);
        break;
      }
      const text = held.slice(from, end).trimEnd();
      const isLast = held[end] === ']';
      if (held[end] === '}') return yield refuse('a brace is closed that was never opened');
      if (text !== '') yield { text, ...place.now() };
      else if (state !== 'empty' || !isLast) return yield refuse('a value is missing');
      state = isLast ? 'after' : 'inside';
      place.pass(held, from, end + 1);
      from = end + 1;
    }
    held = held.slice(from);
  }
  if (state === 'before') yield refuse(notAnArray);
  else if (state !== 'after') yield refuse('the file ends before its array does');
}

/** The index of the comma or bracket behind the element at `from`, or -1 when the text ends first. */
function findElementEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = findStringEnd(text, at);
      if (at === -1) return -1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
    } else if (character === ',' && depth === 0) return at;
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

function createPlace() {
  let line = 1;
  let column = 1;
  return {
    now: () => ({ line, column }),
    /** Moves forward over `text` from one index to another. */
    pass(text: string, from: number, to: number): void {
      let start = from;
      for (
        let at = text.indexOf('\n', from);
        at !== -1 && at < to;
        at = text.indexOf('\n', at + 1)
      ) {
        line += 1;
        column = 1;
        start = at + 1;
      }
      column += to - start;
    },
  };
}
