import type { AttemptResult } from './attempt.ts';
import type { Failure } from './request-error.ts';
import type { HttpRequest } from './transport/transport.ts';

/** Observes all requests and responses. Redaction is left to the observer. */
export interface Trace {
  request?(request: HttpRequest): void;
  /** @param ms how long the attempt took. */
  result?(request: HttpRequest, result: AttemptResult, ms: number): void;
  /** @param ms how long until the next attempt. */
  retry?(failure: Failure, ms: number): void;
}
