import { readFileSync } from 'node:fs';
import { messageOf, UserError, type UserErrorCode } from '../../errors.ts';

/** A key as it may be written in a header field: one trailing newline cut, printable ASCII without blanks (RFC 6750, section 2.1). */
export function parseKey(
  text: string,
  from: string,
  code: UserErrorCode = 'cli_no_key',
): { value: string; lastFour: string } {
  const value = text.replace(/\r?\n$/, '');
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UserError(
      code,
      `The API key from ${from} is empty or holds characters that no key has`,
    );
  }
  return { value, lastFour: lastFourOf(value) };
}

/** The end of a key, by which its owner knows it; of a short one it would be too much. */
export function lastFourOf(key: string): string {
  return key.length > 8 ? key.slice(-4) : '****';
}

/** @param source the flag or variable that named the file. @throws UserError `cli_no_key` when it cannot be read. */
export function readKeyText(file: string, source: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UserError('cli_no_key', `The file named by ${source} cannot be read: ${reason}`, {
      cause,
    });
  }
}
