import { isUtf8 } from 'node:buffer';
import type { HttpResponse } from './transport.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** Reads a body as UTF-8, whether or not it is. */
export function decodeBody(chunks: readonly Uint8Array[]): Pick<HttpResponse, 'body' | 'isUtf8'> {
  const bytes = joinChunks(chunks);
  const text = bytes.toString('utf8');
  return {
    // A parser may ignore the mark (RFC 8259, section 8.1), and JSON.parse does not.
    body: text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text,
    isUtf8: isUtf8(bytes),
  };
}

/** Most bodies arrive in one chunk, which need not be copied. */
function joinChunks(chunks: readonly Uint8Array[]): Buffer {
  const [first, ...others] = chunks;
  return first instanceof Buffer && others.length === 0 ? first : Buffer.concat(chunks);
}
