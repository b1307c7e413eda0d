import * as v from 'valibot';

/** Every error code of this service, with its HTTP status (sections 2.5 and 7). A closed list. */
export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  operation_removed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every error response (section 2.5). Another implementation may use codes of its own. */
export const ServiceError = v.object({
  code: v.string(),
  message: v.string(),
  status: v.pipe(v.number(), v.integer()),
});
export type ServiceError = v.InferOutput<typeof ServiceError>;

export function createServiceError(code: ErrorCode, message: string): ServiceError {
  return { code, message, status: errorStatus[code] };
}
