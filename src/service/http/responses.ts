import { createServiceError, type ErrorCode, errorStatus } from '../../contract/service-error.ts';
import type { ServiceResponse } from './message.ts';

/** A response whose body is ready. `fields` are names and values in turn. */
export function createResponse(
  status: number,
  type: string,
  content: string | Buffer,
  fields: readonly string[] = [],
): ServiceResponse {
  const length = Buffer.byteLength(content);
  const isAscii = length === content.length;
  const body = typeof content === 'string' && !isAscii ? Buffer.from(content) : content;
  const own = ['Content-Type', type, 'Content-Length', String(length)];
  return { status, body, fields: [...fields, ...own] };
}

/** JSON that is ready. Its type has no charset (RFC 8259, section 11). */
export function jsonResponse(
  status: number,
  json: string,
  fields?: readonly string[],
): ServiceResponse {
  return createResponse(status, 'application/json', json, fields);
}

/** The Error body of a code (contract, section 7). */
export function errorResponse(
  code: ErrorCode,
  message: string,
  fields?: readonly string[],
): ServiceResponse {
  return jsonResponse(errorStatus[code], JSON.stringify(createServiceError(code, message)), fields);
}
