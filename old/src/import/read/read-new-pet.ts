import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import * as v from 'valibot';
import { formatName } from '../../contract/describe-issues.ts';
import {
  describePlace,
  findDuplicateMember,
  findJsonMistake,
} from '../../contract/inspect-json.ts';
import { isJsonObject, parseJson } from '../../contract/json.ts';
import { NewPet } from '../../contract/pet.ts';
import { messageOf, UserError } from '../../errors.ts';
import { InputTooLongError, readInput } from '../../files/read-input.ts';
import { isMissing } from '../../files/system-error.ts';
import { acceptTextValues } from './accept-text-values.ts';
import { describePetIssue, onePerField } from './explain-issue.ts';

/** Members of NewPet, any of them missing: what is missing may come from flags or questions. */
const PartialNewPet = v.partial(NewPet);
export type PartialNewPet = v.InferOutput<typeof PartialNewPet>;

/** Reads one JSON object with NewPet's members from a file, or from stdin for `-`. @throws UserError */
export async function readNewPet(
  file: string,
  stdin: Readable,
  signal: AbortSignal,
): Promise<PartialNewPet> {
  const name = file === '-' ? 'stdin' : file;
  const text = await readText(file === '-' ? stdin : file, name, signal);
  const { value, duplicate } = parse(text, name);
  if (duplicate !== undefined) throw refuse(name, `${formatName(duplicate)} is given twice`);
  if (!isJsonObject(value)) throw refuse(name, 'it must be a JSON object');
  const result = v.safeParse(PartialNewPet, acceptTextValues(value), onePerField);
  if (!result.success) throw refuse(name, result.issues.map(describePetIssue).join('; '));
  return result.output;
}

/** Far more than any pet. */
const MAX_PET_BYTES = 1024 * 1024;

async function readText(
  input: Readable | string,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const bytes = await readInput(input, MAX_PET_BYTES, signal);
    // The decoder would put U+FFFD in the place of a byte that is not a character.
    if (!isUtf8(bytes)) throw refuse(name, 'it is not UTF-8');
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    if (signal.aborted || cause instanceof UserError) throw cause;
    if (cause instanceof InputTooLongError) throw refuse(name, cause.message, cause);
    if (isMissing(cause)) throw new UserError('cli_file', `There is no file ${name}`, { cause });
    throw new UserError('cli_file', `${name} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function parse(text: string, name: string) {
  try {
    return { value: parseJson(text), duplicate: findDuplicateMember(text) };
  } catch (cause) {
    const { offset, reason } = findJsonMistake(text);
    throw refuse(name, `it is ${reason} (${describePlace(text, offset)})`, cause);
  }
}

function refuse(name: string, problem: string, cause?: unknown): UserError {
  return new UserError('cli_invalid_input', `${name} does not hold a pet: ${problem}`, {
    details: ['it should look like {"name":"Rex","categoryId":7,"status":"available"}'],
    cause,
  });
}
