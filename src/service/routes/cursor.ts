import { type Int64, parseInt64 } from '../../contract/int64.ts';
import { ServiceError } from '../service-error.ts';

/** Writes the id after which a page starts so that no client is tempted to compute one. */
export function encodeCursor(after: Int64): string {
  return Buffer.from(`after ${after}`).toString('base64url');
}

/** Reads what `encodeCursor` wrote. @throws ServiceError for anything else, also for another spelling of it. */
export function decodeCursor(cursor: string): Int64 {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const after = parseInt64(/^after (\d+)$/.exec(text)?.[1] ?? '');
  if (after === undefined || encodeCursor(after) !== cursor)
    throw new ServiceError('invalid_request', 'cursor: must be a cursor from a Link header');
  return after;
}
