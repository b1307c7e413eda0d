import { type Int64, parseInt64 } from '../../contract/int64.ts';

/** An opaque cursor for what comes after the pet of this id. */
export function encodeCursor(id: Int64): string {
  return Buffer.from(`after ${id}`).toString('base64url');
}

/** The id after which a cursor continues; undefined for anything that `encodeCursor` did not create. */
export function decodeCursor(cursor: string): Int64 | undefined {
  const digits = /^after (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  const id = digits === undefined ? undefined : parseInt64(digits);
  return id !== undefined && encodeCursor(id) === cursor ? id : undefined;
}
