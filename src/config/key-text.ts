import { messageOf, UserError } from '../errors.ts';
import { decodeText } from '../input/decode-text.ts';
import { readRegularFile } from './read-file.ts';

/** The last four characters, by which its owner knows a key; of a short one that would be too much. */
export function endingOf(key: string): string {
  return key.length > 8 ? key.slice(-4) : '****';
}

/** A line of a shell or of an env file. No key has a `=` but at its end. */
const assignment = /^(?:(?:export|set|setx|env)\s+|\$env:)?[A-Z_]\w*\s*=\s*[^\s=]/im;

/** What is wrong with a text as an API key, in words behind "The API key"; undefined for a good one. */
export function findKeyMistake(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (assignment.test(text)) return 'stands behind "NAME="; only the key itself may be there';
  if (text.startsWith('{')) return 'is in JSON; only the key itself may be there';
  if (/^["'`]|["'`]$/.test(text)) return 'is in quotation marks; remove them';
  if (/[\r\n]/.test(text)) return 'has more than one line';
  // What may stand in a header field (RFC 6750, section 2.1, takes less).
  const offset = text.search(/[^!-~]/);
  if (offset === -1) return undefined;
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  const name =
    character === ' ' ? 'a space' : `a character that no key has (${formatCodePoint(character)})`;
  return `has ${name} at position ${offset + 1}`;
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A key without the white space around it. @param source in words. @throws UserError `cli_no_key` naming the mistake. */
export function parseKey(text: string, source: string): string {
  const key = text.trim();
  const mistake = findKeyMistake(key);
  if (mistake === undefined) return key;
  throw new UserError('cli_no_key', `The API key from ${source} ${mistake}.`);
}

export function readKeyFile(file: string, source: string): string {
  return parseKey(decodeText(readBytes(file, source)).text, `${file} (${source})`);
}

function readBytes(file: string, source: string): Buffer {
  try {
    return readRegularFile(file);
  } catch (cause) {
    throw new UserError('cli_no_key', `${file} (${source}) cannot be read: ${messageOf(cause)}.`, {
      cause,
    });
  }
}
