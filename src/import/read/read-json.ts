import { findDuplicateMember } from '../../contract/duplicate-member.ts';
import { parseJson } from '../../contract/json.ts';
import { findJsonMistake, findMemberOffset } from '../../contract/locate-json.ts';
import type { ByteSource } from './read-bytes.ts';
import type { RawRow } from './row.ts';
import { type JsonElement, splitJsonArray } from './split-json-array.ts';
import { splitLines } from './split-lines.ts';

/** Reads a JSON array of objects, as `list --json` writes it. */
export function readJson(source: ByteSource): AsyncGenerator<RawRow, void, undefined> {
  return readElements(splitJsonArray(decode(source.chunks)));
}

/** Reads one object per line, as `list --ndjson` writes it; blank lines are skipped. */
export function readNdjson(source: ByteSource): AsyncGenerator<RawRow, void, undefined> {
  return readElements(splitLines(decode(source.chunks)));
}

/** The pieces end with whole characters, so each can be decoded by itself. */
async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) yield chunk.toString('utf8');
}

async function* readElements(
  elements: AsyncIterable<JsonElement>,
): AsyncGenerator<RawRow, void, undefined> {
  let number = 0;
  for await (const element of elements) {
    number += 1;
    yield readElement(element, number);
  }
}

function readElement(element: JsonElement, number: number): RawRow {
  const { text, line, mistake } = element;
  const locate = (field: string) => placeAt(element, findMemberOffset(text, field) ?? 0);
  const refuse = (offset: number, reason: string): RawRow => ({
    number,
    line,
    source: text,
    value: undefined,
    problems: [{ ...placeAt(element, offset), reason }],
    locate,
  });
  if (mistake !== undefined) return refuse(0, mistake);
  const value = tryParse(text);
  if (value === undefined) {
    const { offset, reason } = findJsonMistake(text);
    return refuse(offset, reason);
  }
  if (Array.isArray(value)) return refuse(0, 'must be a JSON object');
  const duplicate = findDuplicateMember(text);
  if (duplicate !== undefined) {
    return refuse(findMemberOffset(text, duplicate) ?? 0, `${duplicate} is given twice`);
  }
  return { number, line, source: text, value, locate };
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // A RangeError: nested thousands deep, which the parsers' own recursion cannot follow.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function placeAt({ text, line, column }: JsonElement, offset: number) {
  const before = text.slice(0, offset).split('\n');
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line, column: column + offset }
    : { line: line + before.length - 1, column: last.length + 1 };
}
