import { exitCodeOfStatus, exitCodes, type LocalCode, type Outcome } from '../errors.ts';

/** What an error and the trace say of a request. */
export interface RequestLine {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly url: string;
  /** Sent as `X-Request-Id`; the service's log has it too. */
  readonly id: string;
}

export interface RequestErrorOptions {
  readonly request: RequestLine;
  /** Of this program, or of the service's Error body. */
  readonly code: LocalCode | (string & {});
  /** Of the response, if there was one. */
  readonly status?: number | undefined;
  readonly outcome: Outcome;
  /** Further lines: what the system or the service said, and what helps. */
  readonly details?: readonly string[];
  /** Whether the same request may succeed later. */
  readonly isRetryable?: boolean;
  /** Seconds that the service asked to wait (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  /** The `Date` of the response. */
  readonly serverDate?: Date | undefined;
  /** Whether the service honors idempotency keys; undefined when no response of this run has said so. */
  readonly honorsKeys?: boolean | undefined;
  readonly cause?: unknown;
}

/** A request that failed after all its attempts. Its message is one sentence in words; the key is redacted in all texts. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly request: RequestLine;
  readonly code: string;
  readonly exitCode: number;
  readonly status: number | undefined;
  readonly outcome: Outcome;
  readonly details: readonly string[];
  readonly isRetryable: boolean;
  readonly retryAfter: number | undefined;
  readonly serverDate: Date | undefined;
  readonly honorsKeys: boolean | undefined;

  constructor(message: string, options: RequestErrorOptions) {
    super(message, { cause: options.cause });
    this.request = options.request;
    this.code = options.code;
    this.status = options.status;
    this.outcome = options.outcome;
    this.details = options.details ?? [];
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfter = options.retryAfter;
    this.serverDate = options.serverDate;
    this.honorsKeys = options.honorsKeys;
    this.exitCode = findExitCode(options);
  }
}

/** A write whose outcome is unknown is exit 9, whatever the cause. */
function findExitCode({ code, status, outcome }: RequestErrorOptions): number {
  if (outcome === 'unknown') return exitCodes.cli_outcome_unknown;
  if (isLocalCode(code)) return exitCodes[code];
  return exitCodeOfStatus(status ?? 500);
}

/** Whether a code is this program's own and not the service's. */
export function isLocalCode(code: string): code is LocalCode {
  return Object.hasOwn(exitCodes, code);
}
