import * as v from 'valibot';
import { describeIssues } from '../../contract/error.ts';
import { findDuplicateMember, isJsonObject, parseJson } from '../../contract/json.ts';
import { DEFAULT_STATUS, NewPet } from '../../contract/pet.ts';
import { ServiceError } from '../service-error.ts';

/** Reads a request's body as a pet to add, with its defaults. @throws ServiceError naming the field */
export function parseNewPet(body: unknown): Required<NewPet> {
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw refuseBody('the body is missing: send a NewPet as JSON');
  const text = decode(body);
  if (text.startsWith('\ufeff'))
    throw refuseBody('the body begins with a byte order mark: send it without');
  const value = parse(text);
  if (!isJsonObject(value)) throw refuseBody('the body must be a JSON object');
  const parsed = v.safeParse(NewPet, value);
  if (!parsed.success) throw refuseBody(describeIssues(parsed.issues));
  const twice = findDuplicateMember(text);
  if (twice !== undefined) throw refuseBody(`${twice}: is given twice`);
  return { status: DEFAULT_STATUS, ...parsed.output };
}

/** Not a lenient decoder: a name with a byte that is not UTF-8 would be stored with U+FFFD. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw refuseBody('the body is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Also a RangeError of thousands of levels.
    throw refuseBody('the body is not JSON');
  }
}

function refuseBody(message: string): ServiceError {
  return new ServiceError('invalid_request', message);
}
