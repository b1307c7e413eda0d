import type { Quote } from '../quote.ts';
import { readFailure, readRetryAfter } from '../read-response.ts';
import { type Failure, isStillRunning, type RequestOutcome } from '../request-error.ts';
import { describeNetworkError, isNetworkError } from '../transport/network-error.ts';
import type { HttpRequest, HttpResponse, ResponseHead, Transport } from '../transport/transport.ts';

/** The result of one attempt: a 2xx response, or a failure. */
export type AttemptResult = { ok: true; response: HttpResponse } | FailedAttempt;

export interface AttemptOptions {
  /** In milliseconds, from the first connect to the last byte. */
  timeout: number;
  signal: AbortSignal;
  quote: Quote;
  /** Called when the head of the response has arrived, before its body. */
  onHead?: ((head: ResponseHead) => void) | undefined;
}

export interface FailedAttempt {
  ok: false;
  failure: Failure;
  outcome: RequestOutcome;
  retryAfter: number | undefined;
  response: HttpResponse | undefined;
  cause: unknown;
}

/** Sends a request once. Throws only what is a bug. */
export async function attempt(
  transport: Transport,
  request: HttpRequest,
  { timeout, signal, quote, onHead }: AttemptOptions,
): Promise<AttemptResult> {
  const isWrite = request.method === 'POST';
  let wasSent = false;
  let hasBegun = false;
  const deadline = startDeadline(timeout, signal);
  try {
    const response = await transport.send(request, deadline, {
      onSend() {
        wasSent = true;
      },
      onResponse(head) {
        hasBegun = true;
        onHead?.(head);
      },
    });
    return toResult(response, isWrite, quote);
  } catch (cause) {
    if (!isNetworkError(cause)) throw cause;
    const failure: Failure = signal.aborted
      ? { kind: 'aborted' }
      : describeNetworkError(cause, {
          timeout: deadline.isOver() ? timeout : undefined,
          mayHaveBeenSent: wasSent || !isWrite,
          hasBegun,
        });
    const outcome = chooseOutcome(failure, isWrite, wasSent);
    return { ok: false, failure, outcome, retryAfter: undefined, response: undefined, cause };
  } finally {
    deadline.clear();
  }
}

/** A failed read changes nothing; a write that was sent may have been applied. */
function chooseOutcome(failure: Failure, isWrite: boolean, wasSent: boolean): RequestOutcome {
  if (isWrite) return wasSent ? 'unknown' : 'not_sent';
  return failure.kind === 'unreachable' ? 'not_sent' : 'not_applied';
}

/** A deadline that follows the signal and passes by itself. */
function startDeadline(timeout: number, signal: AbortSignal) {
  let isOver = false;
  let ended: Error | undefined;
  let notify = (_: Error) => {};
  const end = () => {
    ended = new DOMException('The request was ended', 'AbortError');
    notify(ended);
  };
  const timer = setTimeout(() => {
    isOver = true;
    end();
  }, timeout);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return {
    onEnd(listener: (reason: Error) => void) {
      notify = listener;
      if (ended !== undefined) listener(ended);
    },
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    },
  };
}

function toResult(response: HttpResponse, isWrite: boolean, quote: Quote): AttemptResult {
  const { status } = response;
  if (status >= 200 && status < 300) return { ok: true, response };
  const failure = readFailure(response, quote);
  return {
    ok: false,
    failure,
    outcome: isWrite && (status >= 500 || isStillRunning(failure)) ? 'unknown' : 'not_applied',
    retryAfter: readRetryAfter(response),
    response,
    cause: undefined,
  };
}
