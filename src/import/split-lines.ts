import type { JsonElement } from './split-json-array.ts';

/** More than any row the service would take (64 KiB a body). */
const MAX_LINE_LENGTH = 128 * 1024;

/** Cuts text that arrives in pieces into its lines; blank ones are passed over, LF and CRLF both end a line. */
export async function* splitLines(
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonElement, void, undefined> {
  let held = '';
  let line = 0;
  for await (const piece of pieces) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    for (const text of lines) {
      line += 1;
      if (text.trim() !== '') yield toElement(text, line);
    }
    if (held.length > MAX_LINE_LENGTH) {
      const mistake = `a line is longer than ${MAX_LINE_LENGTH / 1024} KiB`;
      return yield { text: '', line: line + 1, column: 1, mistake };
    }
  }
  if (held.trim() !== '') yield toElement(held, line + 1);
}

function toElement(line: string, number: number): JsonElement {
  return { text: line.trim(), line: number, column: line.length - line.trimStart().length + 1 };
}
