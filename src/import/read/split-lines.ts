import type { JsonElement } from './split-json-array.ts';

/** More than any row the service would take (64 KiB a body). */
const MAX_LINE_LENGTH = 128 * 1024;

/** A line without its end; the last one of a file may have none. */
export interface Line {
  text: string;
  isWhole: boolean;
}

/** Cuts text that arrives in pieces at every line feed. */
export async function* splitText(
  pieces: AsyncIterable<string>,
): AsyncGenerator<Line, void, undefined> {
  let held = '';
  for await (const piece of pieces) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    for (const text of lines) yield { text, isWhole: true };
    // Given to the reader as it stands, which refuses it: what has no end must not fill the memory.
    if (held.length > MAX_LINE_LENGTH) break;
  }
  if (held !== '') yield { text: held, isWhole: false };
}

/** The lines of NDJSON; blank ones are passed over, LF and CRLF both end a line. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  let number = 0;
  for await (const { text } of splitText(pieces)) {
    number += 1;
    if (text.trim() === '') continue;
    const place = { line: number, column: text.length - text.trimStart().length + 1 };
    if (text.length > MAX_LINE_LENGTH) {
      const mistake = `a line is longer than ${MAX_LINE_LENGTH / 1024} KiB`;
      return yield { text: '', ...place, mistake };
    }
    yield { text: text.trim(), ...place };
  }
}
