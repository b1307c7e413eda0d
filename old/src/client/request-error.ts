import type { ServiceError } from '../contract/service-error.ts';

/** What an error says about its request. */
export interface RequestLine {
  method: 'GET' | 'POST' | 'HEAD';
  url: string;
  /** Sent as `X-Request-Id`; the service's log has it too. */
  id: string;
}

/** How a request failed. */
export type Failure =
  /** The service refused it, with the contract's Error body. */
  | { kind: 'response'; status: number; error: ServiceError }
  /** The response does not follow the contract: HTML, truncated JSON, a redirect; without a status it is not even HTTP. */
  | { kind: 'unexpected_response'; status: number | undefined; reason: string }
  /** No connection was established: nothing was sent. */
  | { kind: 'unreachable'; reason: string; code: string; isCertificate: boolean }
  /** The connection was lost, or time ran out, after the request may have been sent. */
  | { kind: 'no_response'; reason: string; isTimeout: boolean; hasBegun: boolean }
  /** The program was asked to stop. */
  | { kind: 'aborted' };

/** The outcome of a write; `not_applied` for a read that failed. */
export type RequestOutcome = 'not_sent' | 'not_applied' | 'unknown';

/** A request that did not succeed, after all its attempts. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly request: RequestLine;
  readonly failure: Failure;
  readonly outcome: RequestOutcome;
  /** Seconds the service asked to wait (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** The idempotency key of a write. With it the write can be sent again safely where `honorsIdempotency` is true. */
  readonly idempotencyKey: string | undefined;
  /** Whether the service honors idempotency keys; undefined when no response has said so. */
  readonly honorsIdempotency: boolean | undefined;

  constructor(
    request: RequestLine,
    failure: Failure,
    outcome: RequestOutcome,
    options: {
      retryAfter?: number | undefined;
      idempotencyKey?: string | undefined;
      honorsIdempotency?: boolean | undefined;
      cause?: unknown;
    },
  ) {
    super(`${request.method} ${request.url}: ${describeFailure(failure)}`, {
      cause: options.cause,
    });
    this.request = request;
    this.failure = failure;
    this.outcome = outcome;
    this.retryAfter = options.retryAfter;
    this.idempotencyKey = options.idempotencyKey;
    this.honorsIdempotency = options.honorsIdempotency;
  }
}

/** One phrase, such as `401 unauthorized` or `the connection was refused`. */
export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'response':
      return `${failure.status} ${failure.error.code}: ${failure.error.message}`;
    case 'unexpected_response':
      return failure.status === undefined ? failure.reason : `${failure.status}: ${failure.reason}`;
    case 'unreachable':
    case 'no_response':
      return failure.reason;
    case 'aborted':
      return 'interrupted';
  }
}

/** The first request with this idempotency key has not ended: nobody knows yet how it will. */
export function isStillRunning(failure: Failure): boolean {
  return failure.kind === 'response' && failure.error.code === 'idempotency_conflict';
}
