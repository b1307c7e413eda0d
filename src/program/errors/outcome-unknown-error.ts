import type { RequestError } from '../../client/request-error.ts';

/** A write that may have been applied, and the one command line that repeats it without doing it twice. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  override readonly cause: RequestError;
  readonly rerun: string;

  constructor(cause: RequestError, rerun: string) {
    super(cause.message);
    this.cause = cause;
    this.rerun = rerun;
  }
}
