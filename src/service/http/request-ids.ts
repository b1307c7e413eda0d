import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What an id from outside may be made of, so that it can stand in a log and a header. */
const usable = /^[\w.:/+=@-]{1,128}$/;

/** Gives a request its id. */
export type RequestIds = (headers: IncomingHttpHeaders) => string;

/** Gives each request the id its X-Request-Id says, else one that no other request of any process has. */
export function createRequestIds(): RequestIds {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (headers) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && usable.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
