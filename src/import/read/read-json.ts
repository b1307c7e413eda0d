import {
  findDuplicateMember,
  findJsonMistake,
  findMemberOffset,
} from '../../contract/inspect-json.ts';
import { parseJson } from '../../contract/json.ts';
import type { ByteSource } from './read-bytes.ts';
import type { RawRow } from './row.ts';
import { type JsonElement, splitJsonArray } from './split-json-array.ts';

/** More than any row the service would take (64 KiB a body). */
const MAX_LINE_LENGTH = 128 * 1024;

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
    return refuse(offset, `is ${reason}`);
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

/** The lines of NDJSON from text that arrives in pieces; blank ones are skipped, LF and CRLF both end a line. */
async function* splitLines(
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
