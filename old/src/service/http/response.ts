import { createServiceError, type ErrorCode, errorStatus } from '../../contract/service-error.ts';

/** A response before the fields that every response has, such as its request id. */
export interface ServiceResponse {
  readonly status: number;
  /** Names and values in turn, the form that Node writes fastest. */
  readonly fields: readonly string[];
  /** Bytes, or text that is all ASCII: Node joins that with the head, which is faster. */
  readonly body: string | Buffer;
  /** Ends the connection. */
  readonly closes?: true;
}

/** A response whose body is ready. `fields` are names and values in turn. */
export function createResponse(
  status: number,
  type: string,
  content: string | Buffer,
  fields: readonly string[] = [],
): ServiceResponse {
  const length = Buffer.byteLength(content);
  const body = length === content.length ? content : Buffer.from(content);
  const own = ['Content-Type', type, 'Content-Length', String(length)];
  return { status, body, fields: [...fields, ...own] };
}

/** JSON that is ready. Its type has no charset (RFC 8259, section 11). */
export function jsonResponse(status: number, json: string, fields?: readonly string[]) {
  return createResponse(status, 'application/json', json, fields);
}

/** The Error body of a code (contract, section 7). */
export function errorResponse(code: ErrorCode, message: string, fields?: readonly string[]) {
  return jsonResponse(errorStatus[code], JSON.stringify(createServiceError(code, message)), fields);
}

/** The same where more of the request may follow that nobody will read. */
export function closingErrorResponse(code: ErrorCode, message: string): ServiceResponse {
  return { ...errorResponse(code, message), closes: true };
}
