import type { IncomingMessage } from 'node:http';
import { closingErrorResponse, type ServiceResponse } from './response.ts';

/** A Host as RFC 3986 writes host and port; two fields arrive as one, joined by a comma and a space. It may be empty. */
const hostShape = /^(?:\[[\w:.%]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** What is wrong with the head of a request that Node's parser let pass. It says nothing about who sent it, so it comes before any key. */
export function checkRequestHead({
  httpVersion,
  headers,
}: Pick<IncomingMessage, 'httpVersion' | 'headers'>): ServiceResponse | undefined {
  const isOld = httpVersion === '1.0';
  if (httpVersion !== '1.1' && !isOld) return otherVersion;
  const { host } = headers;
  if (host === undefined ? !isOld : !hostShape.test(host)) return wrongHost;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked')) return wrongCoding;
  return undefined;
}

const otherVersion = closingErrorResponse(
  'invalid_request',
  'the version in the request line must be HTTP/1.1 or HTTP/1.0',
);
/** RFC 9112, section 3.2. */
const wrongHost = closingErrorResponse(
  'invalid_request',
  'Host: must be given once, as a host with or without a port',
);
/** RFC 9112, section 6.1: HTTP/1.0 has no codings, and an unknown one leaves the end of the body unknown. */
const wrongCoding = closingErrorResponse(
  'invalid_request',
  'Transfer-Encoding: must be chunked, of HTTP/1.1',
);
