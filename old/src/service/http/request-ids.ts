import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { containsApiKey } from '../../contract/api-key.ts';

/** What an id from outside may contain, so that it is safe in a log and a header. */
const usable = /^[\w.:/+=@-]{1,128}$/;

/** Returns the id of a request. */
export type RequestIds = (headers: IncomingHttpHeaders) => string;

/** Takes the id from X-Request-Id, but never an API key sent there by mistake; otherwise it is unique across all processes. */
export function createRequestIds(): RequestIds {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (headers) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && usable.test(given) && !containsApiKey(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
