import * as v from 'valibot';
import { describeIssues } from '../../contract/describe-issues.ts';
import { findDuplicateMember } from '../../contract/inspect-json.ts';
import { parseJson } from '../../contract/json.ts';
import { NewPet } from '../../contract/pet.ts';

export type ParsedNewPet =
  | { readonly success: true; readonly pet: NewPet }
  | { readonly success: false; readonly message: string };

/** Reads a request's body as a NewPet, or says what is wrong with it, naming the field. */
export function parseNewPet(body: Uint8Array): ParsedNewPet {
  if (body.length === 0) return fail('the body is missing: send a NewPet as JSON');
  const text = decodeUtf8(body);
  if (text === undefined) return fail('the body is not UTF-8');
  try {
    return parseText(text);
  } catch (error) {
    // Nested thousands deep, which the parsers' own recursion cannot follow.
    if (error instanceof RangeError) return fail('the body is nested too deep');
    if (error instanceof SyntaxError) return fail('the body is not JSON');
    throw error;
  }
}

function parseText(text: string): ParsedNewPet {
  const parsed = v.safeParse(NewPet, parseJson(text));
  if (!parsed.success) return fail(describeIssues(parsed.issues));
  const duplicate = findDuplicateMember(text);
  if (duplicate !== undefined) return fail(`${duplicate}: is given twice`);
  return { success: true, pet: parsed.output };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function fail(message: string): ParsedNewPet {
  return { success: false, message };
}
