import { type Outcome, UserError } from '../errors.ts';
import type { AttemptResult, Response } from './attempt.ts';
import type { ProxyOptions } from './client-options.ts';
import { describeFailure } from './failure.ts';
import { readErrorBody } from './read-response.ts';
import type { Request } from './request.ts';
import type { RequestErrorOptions } from './request-error.ts';
import { isRetryableStatus, parseRetryAfter } from './retry.ts';

/** What an attempt that failed says of itself: the start of a RequestError. */
export type FailedAttempt = Omit<RequestErrorOptions, 'request' | 'honorsKeys'> & {
  readonly message: string;
};

/** The first request with this idempotency key has not ended: nobody knows yet how it will. */
const STILL_RUNNING = 'idempotency_conflict';

/** Says what a response other than 2xx means. */
export function explainStatus(request: Request, response: Response): FailedAttempt {
  const { status, headers } = response;
  const isWrite = request.method === 'POST';
  const body = readErrorBody(response);
  const isRunning = 'value' in body && isWrite && body.value.code === STILL_RUNNING;
  const rest = {
    status,
    outcome: isWrite && (status >= 500 || isRunning) ? 'unknown' : 'not_applied',
    isRetryable: isRunning || isRetryableStatus(status, isWrite),
    retryAfter: parseRetryAfter(headers['retry-after']),
    serverDate: parseDate(headers.date),
  } as const;
  // A code of this program's own would choose the exit code.
  if ('value' in body && !body.value.code.startsWith('cli_'))
    return { code: body.value.code, message: body.value.message, ...rest };
  const problem = 'problem' in body ? body.problem : 'a code that only petstore itself gives';
  return { ...explainUnexpected(request.url, status, problem), ...rest };
}

/** Of a response that does not follow the contract: another program, or a proxy, is at the address. */
export function explainUnexpected(url: URL, status: number, problem: string) {
  const isAway = [502, 503, 504].includes(status);
  return {
    code: 'cli_unexpected_response',
    message: isAway
      ? `${url.host} is not available at the moment.`
      : `${url.host} did not respond as a pet store.`,
    details: [`it responded ${status} with ${problem}`],
  } as const;
}

/** Says why no response came. @throws what was thrown when it is a bug of this program. */
export function explainError(
  request: Request,
  result: Extract<AttemptResult, { error: unknown }>,
  { proxy, timeoutMs, signal }: ExplainContext,
): FailedAttempt {
  const { error, isTimeout, wasSent } = result;
  const outcome = chooseOutcome(request.method === 'POST', wasSent);
  if (signal?.aborted) return { ...explainStop(signal), outcome };
  const { url } = request;
  const limit = isTimeout ? timeoutMs : undefined;
  const failure = describeFailure(error, { url, proxy, timeoutMs: limit, wasSent });
  if (failure === undefined) throw error;
  return { ...failure, outcome, cause: error };
}

export interface ExplainContext {
  readonly proxy: ProxyOptions | undefined;
  /** Of this attempt. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The program was told to stop; the reason says by what. */
export function explainStop({ reason }: AbortSignal) {
  const code = reason instanceof UserError ? reason.code : 'cli_interrupted';
  return { code, message: 'Stopped.' };
}

/** A failed read changes nothing; a write that was sent may have been applied. */
function chooseOutcome(isWrite: boolean, wasSent: boolean): Outcome {
  if (!wasSent) return 'not_sent';
  return isWrite ? 'unknown' : 'not_applied';
}

function parseDate(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
