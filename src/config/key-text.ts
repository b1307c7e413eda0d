import { readFile } from 'node:fs/promises';
import { messageOf, UserError } from '../errors.ts';

/** The last four characters, by which its owner knows a key; of a short one that would be too much. */
export function endingOf(key: string): string {
  return key.length > 8 ? key.slice(-4) : '****';
}

/** What is wrong with a text as an API key, in words behind "The API key"; undefined for a good one. */
export function findKeyMistake(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (/^["'`]|["'`]$/.test(text)) return 'is in quotation marks; remove them';
  if (/[\r\n]/.test(text)) return 'has more than one line';
  // What may stand in a header field (RFC 6750, section 2.1, takes less).
  const offset = text.search(/[^!-~]/);
  if (offset === -1) return undefined;
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  const name =
    character === ' ' ? 'a space' : `a character that no key has (${describe(character)})`;
  return `has ${name} at position ${offset + 1}`;
}

function describe(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A key without the white space around it. @param source in words. @throws UserError `cli_no_key` naming the mistake. */
export function parseKey(text: string, source: string): string {
  const key = text.trim();
  const mistake = findKeyMistake(key);
  if (mistake === undefined) return key;
  throw new UserError('cli_no_key', `The API key from ${source} ${mistake}.`);
}

/** The text of a key file: UTF-8, or UTF-16 as PowerShell writes it, with or without a byte order mark. */
export function decodeKey(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const encoding = isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** The key in a file. @param source what names the file, in words. @throws UserError `cli_no_key`. */
export async function readKeyFile(file: string, source: string): Promise<string> {
  const bytes = await readFile(file).catch((cause) => {
    throw new UserError('cli_no_key', `${file} (${source}) cannot be read: ${messageOf(cause)}.`, {
      cause,
    });
  });
  return parseKey(decodeKey(bytes), `${file} (${source})`);
}
