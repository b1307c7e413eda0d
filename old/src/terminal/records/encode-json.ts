import { escapeUnsafe } from '../text/safe-text.ts';

/** What a record can hold: what JSON can, and int64. Undefined is absent. */
export type Value =
  | string
  | number
  | boolean
  | bigint
  | null
  | undefined
  | readonly Value[]
  | Facts;
export type Facts = { readonly [name: string]: Value };

/** Reads one member of a row. */
export interface Member<Row> {
  readonly name: string;
  value(row: Row): Value;
}

/** A function that writes rows as compact JSON, safe to print: all of a row, or these members in this order. */
export function createRowEncoder<Row extends Facts>(
  members: readonly Member<Row>[] | undefined,
  hasStringIds: boolean,
): (row: Row) => string {
  if (members === undefined) return (row) => encodeJson(row, hasStringIds);
  const parts = members.map(({ name, value }) => ({ head: `${encodeString(name)}:`, value }));
  return (row) => {
    let text = '';
    for (const { head, value } of parts) {
      const member = value(row);
      if (member === undefined) continue;
      text += (text === '' ? '{' : ',') + head + encodeJson(member, hasStringIds);
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** Compact JSON, safe to print, with every digit of an int64, which JSON.stringify refuses. */
export function encodeJson(value: Exclude<Value, undefined>, hasStringIds = false): string {
  if (typeof value === 'string') return encodeString(value);
  if (typeof value === 'bigint') return hasStringIds ? `"${value}"` : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isList(value)) {
    return `[${value.map((item) => encodeJson(item ?? null, hasStringIds)).join(',')}]`;
  }
  // Without a list of the members on the way, which took most of the time.
  let text = '';
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '{' : ','}${encodeString(name)}:${encodeJson(member, hasStringIds)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Most texts need no escape, and finding that out is faster than looking for one. */
const isPlain = /^[ !#-[\]-~]*$/;

function encodeString(text: string): string {
  return isPlain.test(text) ? `"${text}"` : escapeUnsafe(JSON.stringify(text));
}

/** As Array.isArray, which does not know lists that are read-only. */
function isList(value: readonly Value[] | Facts): value is readonly Value[] {
  return Array.isArray(value);
}
