import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './admission/admission.ts';
import { closingErrorResponse, errorResponse, type ServiceResponse } from './response.ts';

const BODY_LIMIT = 64 * 1024;
const JSON_TYPE = 'application/json';

/** A request that is refused before its handler sees it. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';
  readonly response: ServiceResponse;

  constructor(response: ServiceResponse) {
    super('The request was refused.');
    this.response = response;
  }
}

/**
 * Returns a function that reads a JSON body of at most 64 KiB. An 'error' of the request refuses it, even one that comes
 * before the body is read, such as while the key is looked up. Reading rejects with RefusedRequestError.
 */
export function openBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limits, refusals }: Pick<Admission, 'limits' | 'refusals'>,
): () => Promise<Buffer> {
  let failure: Error | undefined;
  let refuse: ((reason: Error) => void) | undefined;
  request.on('error', (error) => {
    failure = error instanceof RefusedRequestError ? error : new RefusedRequestError(unreadable);
    refuse?.(failure);
  });
  return () =>
    new Promise((resolve, reject) => {
      const problem = checkHead(request);
      if (problem !== undefined) return reject(new RefusedRequestError(problem));
      if (failure !== undefined) return reject(failure);
      if (expectsContinue(request)) response.writeContinue();
      refuse = reject;
      const body = { bytes: empty, length: 0 };
      let pieces = 0;
      request.on('data', (piece: Buffer) => {
        if (!append(body, piece)) reject(new RefusedRequestError(tooLarge));
        pieces += 1;
        if (pieces > limits.bodyPieces) refusals.closeConnection(request.socket, 'body_pieces');
      });
      request.on('end', () => resolve(body.bytes.subarray(0, body.length)));
    });
}

const empty: Buffer = Buffer.alloc(0);

/**
 * Puts a body together as it comes: pieces of one byte each, kept as they are, would take hundreds of times their size.
 * False when it is larger than allowed.
 */
function append(body: { bytes: Buffer; length: number }, piece: Buffer): boolean {
  const start = body.length;
  body.length += piece.length;
  if (body.length > BODY_LIMIT) return false;
  if (start === 0) {
    body.bytes = piece;
    return true;
  }
  if (body.length > body.bytes.length) {
    const larger = Buffer.allocUnsafe(Math.min(2 * body.length, BODY_LIMIT));
    body.bytes.copy(larger, 0, 0, start);
    body.bytes = larger;
  }
  piece.copy(body.bytes, start);
  return true;
}

/** Whether a body follows the header fields. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether more of a body may follow than is worth reading to keep the connection. */
export function leavesLargeBody(request: IncomingMessage): boolean {
  if (request.complete || !hasBody(request)) return false;
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  // Without 100 Continue nobody knows whether the body follows at all (RFC 9110, section 10.1.1).
  return length > BODY_LIMIT || expectsContinue(request);
}

/** HTTP/1.0 has no such expectation. */
function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue';
}

/** What is wrong with a body as its header fields describe it. */
function checkHead(request: IncomingMessage): ServiceResponse | undefined {
  const { headers } = request;
  const type = headers['content-type'];
  if (type === undefined ? hasBody(request) : !isJsonType(type)) return wrongType;
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') return encoded;
  return Number(headers['content-length']) > BODY_LIMIT ? tooLarge : undefined;
}

/** JSON is UTF-8 (RFC 8259, section 8.1), whatever else `charset` says. Other parameters have no meaning here. */
function isJsonType(value: string): boolean {
  if (value === JSON_TYPE) return true;
  const [type, ...parameters] = value.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === JSON_TYPE &&
    parameters.every((text) => !/^charset\b/.test(text) || /^charset="?utf-?8"?$/.test(text))
  );
}

const wrongType = errorResponse(
  'unsupported_media_type',
  'the body must be application/json, in UTF-8',
);
const encoded = errorResponse(
  'unsupported_media_type',
  'the body must not be in a coding such as gzip',
);
/** Closes the connection only while more of the body may follow: requests that arrived after it are carried out. */
const tooLarge = errorResponse('payload_too_large', 'the body is larger than 64 KiB');
const unreadable = closingErrorResponse('invalid_request', 'the request cannot be read');
