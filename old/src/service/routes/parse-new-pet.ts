import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { describeIssues, formatName } from '../../contract/describe-issues.ts';
import { findDuplicateMember } from '../../contract/inspect-json.ts';
import { isJsonObject, parseJson } from '../../contract/json.ts';
import { NewPet } from '../../contract/pet.ts';

/** Reads a request's body as a NewPet, or says what is wrong with it, naming the field. */
export function parseNewPet(body: Uint8Array): NewPet | string {
  if (body.length === 0) return 'the body is missing: send a NewPet as JSON';
  if (!isUtf8(body)) return 'the body is not UTF-8';
  try {
    return parseText(utf8.decode(body));
  } catch (error) {
    // Thousands of levels, which the parsers' own recursion cannot follow.
    if (error instanceof RangeError) return 'the body is too deeply nested';
    if (error instanceof SyntaxError) return 'the body is not JSON';
    throw error;
  }
}

const utf8 = new TextDecoder();

function parseText(text: string): NewPet | string {
  const value = parseJson(text);
  if (!isJsonObject(value)) return 'the body must be a JSON object';
  const parsed = v.safeParse(NewPet, value);
  if (!parsed.success) return describeIssues(parsed.issues);
  const duplicate = mayRepeatMember(text, parsed.output) ? findDuplicateMember(text) : undefined;
  return duplicate === undefined ? parsed.output : `${formatName(duplicate)}: is given twice`;
}

/** False of most texts, for speed: one with no more strings, as names and values, than its pet needs gives no member twice. */
function mayRepeatMember(text: string, { status }: NewPet): boolean {
  const needed = status === undefined ? 3 : 5;
  return text.includes('\\') || countQuotes(text) !== 2 * needed;
}

function countQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}
