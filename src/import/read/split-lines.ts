import type { JsonElement } from './split-json-array.ts';

/** More than any row the service would take (64 KiB a body). */
const MAX_LINE_LENGTH = 128 * 1024;

/** The lines of NDJSON from text that arrives in pieces; blank ones are skipped, LF and CRLF both end a line. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  let number = 0;
  for await (const text of splitText(pieces)) {
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

async function* splitText(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held = '';
  for await (const piece of pieces) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    yield* lines;
    // Returned as it is, and refused as too long: what has no end must not fill the memory.
    if (held.length > MAX_LINE_LENGTH) break;
  }
  if (held !== '') yield held;
}
