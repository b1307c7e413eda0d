import { type Int64, parseInt64 } from '../../contract/int64.ts';

/** An opaque cursor for what comes after the pet of this id. */
export function encodeCursor(id: Int64): string {
  return Buffer.from(`after ${id}`).toString('base64url');
}

/** The id after which a cursor continues; undefined for anything that `encodeCursor` did not create. */
export function decodeCursor(cursor: string): Int64 | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Only one of the texts that decode to these bytes was created.
  if (bytes.toString('base64url') !== cursor) return undefined;
  const digits = /^after (0|[1-9]\d*)$/.exec(bytes.toString('latin1'))?.[1];
  return digits === undefined ? undefined : parseInt64(digits);
}
