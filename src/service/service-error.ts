import { type ErrorBody, type ErrorCode, errorStatus } from '../contract/error.ts';

/** A refusal: thrown anywhere in the service, and sent as the Error body of the contract (section 2.5). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly body: ErrorBody;
  /** Header fields of the response. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.body = { code, message, status: errorStatus[code] };
    this.fields = fields;
  }
}

/** 503: worth another try after a second. */
export function unavailable(message: string): ServiceError {
  return new ServiceError('unavailable', message, { 'Retry-After': '1' });
}
