import { formatName } from '../../contract/describe-issues.ts';
import {
  findDuplicateMember,
  findJsonMistake,
  findMemberOffset,
} from '../../contract/inspect-json.ts';
import { isJsonObject, parseJson } from '../../contract/json.ts';
import type { ByteSource } from './read-bytes.ts';
import type { BadRow, RawRow } from './row.ts';
import { advance, type JsonElement, splitArray, splitLines } from './split-json.ts';

/** Reads a JSON array of objects, as `list --json` writes it. */
export function readJson(source: ByteSource) {
  return readElements(splitArray(decode(source.chunks)));
}

/** Reads one object per line, as `list --ndjson` writes it; blank lines are skipped. */
export function readNdjson(source: ByteSource) {
  return readElements(splitLines(decode(source.chunks)));
}

/** The pieces end with whole characters, so each can be decoded by itself. */
async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) yield chunk.toString('utf8');
}

async function* readElements(
  elements: AsyncIterable<JsonElement>,
): AsyncGenerator<(RawRow | BadRow)[], void, undefined> {
  for await (const element of elements) yield [readElement(element)];
}

function readElement(element: JsonElement): RawRow | BadRow {
  const { text, line, mistake } = element;
  const placeAt = (offset = 0) => advance(element, text.slice(0, offset));
  const refuse = (reason: string, offset?: number): BadRow => ({
    problems: [{ ...placeAt(offset), reason }],
  });
  if (mistake !== undefined) return refuse(mistake);
  const value = tryParse(text);
  if (value === undefined) {
    const { offset, reason } = findJsonMistake(text);
    return refuse(`is ${reason}`, offset);
  }
  if (!isJsonObject(value)) return refuse('must be a JSON object');
  const duplicate = findDuplicateMember(text);
  if (duplicate !== undefined)
    return refuse(`${formatName(duplicate)} is given twice`, findMemberOffset(text, duplicate));
  const locate = (_: RawRow, field: string) => placeAt(findMemberOffset(text, field));
  return { line, source: text, value, locate };
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
