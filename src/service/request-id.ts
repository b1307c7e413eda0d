import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const start = randomBytes(6).toString('base64url');
let count = 0;

/** A new id: a few characters that differ from those of every other instance. */
export function createRequestId(): string {
  count += 1;
  return `${start}-${count.toString(36)}`;
}

/** The client's `X-Request-Id` where it is a plain word and no API key, else a new one. */
export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  const isPlain = typeof given === 'string' && /^(?!.*pst_)[\w./:+=@-]{1,128}$/.test(given);
  return isPlain ? given : createRequestId();
}
