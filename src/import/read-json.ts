import { findDuplicateMember, isJsonObject, parseJson } from '../contract/json.ts';
import { quoteValue } from '../input/explain-value.ts';
import { findField } from './columns.ts';
import type { Field, Mistake, Place, RawFile, RawRow } from './row.ts';

/** Reads objects from a JSON array, one per line, or one after another as jq prints them. */
export function readJsonFile(text: string): RawFile {
  const rows: (RawRow | Mistake)[] = [];
  const others = new Set<string>();
  let line = 1;
  let end = 0;
  const countLines = (from: number, to: number) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
      line += 1;
  };
  const readBetween = (to: number) => {
    const between = text.slice(end, to);
    const offset = between.search(/[^\s,[\]]/);
    if (offset !== -1) {
      countLines(end, end + offset);
      rows.push({ line, reason: explainBroken(between.slice(offset)) });
      countLines(end + offset, to);
    } else countLines(end, to);
  };
  for (const { 0: object, index } of text.matchAll(objects())) {
    readBetween(index);
    rows.push(readObject(object, line, others));
    countLines(index, index + object.length);
    end = index + object.length;
  }
  readBetween(text.length);
  if (/^\s*\[/.test(text) && !/\]\s*$/.test(text))
    rows.push({ line, reason: 'ends in the middle of the array: get a complete copy' });
  return { rows, otherColumns: [...others], warnings: [] };
}

/** How deep objects may hold objects: members that are not a pet's are read past. */
const DEPTH = 4;

/** Whole objects at the top of a text, so that each has a line and a mistake in one hides no other. */
function objects(): RegExp {
  // A run of characters is one match: one for each character would overflow the stack in a long text.
  const string = String.raw`"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"`;
  let object = String.raw`\{[^{}"]*(?:${string}[^{}"]*)*\}`;
  for (let depth = 1; depth < DEPTH; depth += 1)
    object = String.raw`\{[^{}"]*(?:(?:${string}|${object})[^{}"]*)*\}`;
  return new RegExp(object, 'g');
}

function readObject(text: string, line: number, others: Set<string>): RawRow | Mistake {
  const members = tryParse(text);
  if (!isJsonObject(members)) return { line, reason: explainBroken(text) };
  // Names inside of inner objects are not those of the pet.
  const duplicate = text.indexOf('{', 1) === -1 ? findDuplicateMember(text) : undefined;
  if (duplicate !== undefined) return { line, field: duplicate, reason: 'is given twice' };
  const values: Partial<Record<Field, unknown>> = {};
  const places: Partial<Record<Field, Place>> = {};
  for (const [title, value] of Object.entries(members)) {
    const field = findField(title);
    if (field === undefined) others.add(title);
    else if (field in places) return { line, field: title, reason: 'is given twice' };
    else {
      places[field] = { title };
      if (value !== null && value !== '') values[field] = value;
    }
  }
  return { line, values, places };
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function explainBroken(text: string): string {
  const [start = ''] = text.split('\n', 1);
  return `${quoteValue(start)} is not JSON: write objects such as {"name":"Rex","categoryId":7,"status":"sold"}`;
}
