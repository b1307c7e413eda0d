import { findDuplicateMember, isJsonObject, parseJson } from '../contract/json.ts';
import { quoteValue } from '../input/explain-value.ts';
import type { Mistake, RawRow, RowBatches, RowReader } from './row.ts';

/** Few: what is made of a row is gone before the garbage collector would have to move it. */
const BATCH_ROWS = 200;
/** More than any row the service would take (64 KiB a body). */
const MAX_OBJECT_BYTES = 128 * 1024;

/** Reads objects from a JSON array, one per line, or one after another as jq prints them. @param bytes UTF-8. */
export function createJsonReader(bytes: Buffer): RowReader {
  return { read: () => readBatches(bytes), locate: locateMember };
}

async function* readBatches(bytes: Buffer): RowBatches {
  let batch: (RawRow | Mistake)[] = [];
  for (const element of splitElements(bytes)) {
    batch.push('reason' in element ? element : readElement(element));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** What an error may show of text that is not an object. */
const SHOWN_BYTES = 200;

/** The text of one object, and the line on which it starts. */
interface Element {
  readonly line: number;
  readonly text: string;
}

function readElement({ line, text }: Element): RawRow | Mistake {
  const values = tryParse(text);
  if (!isJsonObject(values)) return { line, reason: explainBroken(text) };
  const duplicate = findDuplicateMember(text);
  if (duplicate !== undefined) return { line, field: duplicate, reason: 'is given twice' };
  return { line, text, values: { ...values } };
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // A RangeError: nested thousands deep.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function explainBroken(text: string): string {
  const [start = ''] = text.split('\n', 1);
  return `${quoteValue(start)} is not JSON: write objects such as {"name":"Rex","categoryId":7,"status":"sold"}`;
}

/**
 * Cuts a text into the objects at its top, without parsing them: each is then small enough for the exact parser, and has
 * a line. A pet holds no objects, so after a mistake the next line that starts with a brace is the next row.
 */
function* splitElements(bytes: Buffer): Generator<Element | Mistake> {
  let gap = readGap(bytes, 0);
  let line = 1 + countLineFeeds(bytes, 0, gap.end);
  let isOpen = gap.marks.startsWith('[') && !gap.marks.includes(']');
  for (let at = gap.end; at < bytes.length; at = gap.end) {
    const end = bytes[at] === OPEN_BRACE ? findEnd(bytes, at) : undefined;
    const text = bytes.toString('utf8', at, end ?? at + SHOWN_BYTES);
    yield end === undefined ? { line, reason: explainBroken(text) } : { line, text };
    gap = readGap(bytes, end ?? findNextObject(bytes, at + 1));
    line += countLineFeeds(bytes, at, gap.end);
    // After a mistake nothing is known of the array's end.
    isOpen &&= end !== undefined && !gap.marks.includes(']');
  }
  if (isOpen)
    yield { line, reason: 'the file ends in the middle of its array: get a complete copy' };
}

/** What may stand between two objects: white space, and the marks of an array. */
function readGap(bytes: Buffer, start: number) {
  let marks = '';
  let end = start;
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end] ?? 0;
    if (byte === OPEN_BRACKET || byte === CLOSE_BRACKET) marks += String.fromCharCode(byte);
    else if (byte > SPACE && byte !== COMMA) break;
  }
  return { end, marks };
}

/** The index after the object that starts here, or undefined when it does not end soon enough. */
function findEnd(bytes: Buffer, start: number): number | undefined {
  let depth = 0;
  let isText = false;
  const limit = Math.min(bytes.length, start + MAX_OBJECT_BYTES);
  for (let at = start; at < limit; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
      else if (byte === LINE_FEED) return undefined;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The next brace that opens a line. */
function findNextObject(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const { end } = readGap(bytes, at);
    if (bytes[end] === OPEN_BRACE) return end;
  }
  return bytes.length;
}

function countLineFeeds(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (bytes[at] === LINE_FEED) count += 1;
  return count;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Characters from the start of the object, where it stands in one line. */
function locateMember({ text = '' }: RawRow, field: string) {
  const at = text.indexOf(JSON.stringify(field));
  return at === -1 || text.includes('\n') ? { field } : { column: at + 1, field };
}
