import * as v from 'valibot';
import { parseJson } from '../contract/json.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Failure, RequestOutcome } from './request-error.ts';
import { describeNetworkError, isNetworkError } from './transport/network-error.ts';
import type { Transport } from './transport/transport.ts';
import type { WireReply, WireRequest } from './transport/wire.ts';

/** What became of one attempt: a reply of the 2xx kind, or a failure. */
export type AttemptResult =
  | { ok: true; reply: WireReply }
  | {
      ok: false;
      failure: Failure;
      outcome: RequestOutcome;
      retryAfter: number | undefined;
      reply: WireReply | undefined;
      cause: unknown;
    };

/** Sends a request once, within `timeout` milliseconds from the first connect to the last byte. Throws only what is a bug. */
export async function attempt(
  transport: Transport,
  request: WireRequest,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<AttemptResult> {
  const isWrite = request.method === 'POST';
  let wasSent = false;
  const limit = startDeadline(timeout, signal);
  try {
    const reply = await transport.send(request, limit, () => {
      wasSent = true;
    });
    return judgeReply(reply, isWrite);
  } catch (cause) {
    if (!isNetworkError(cause)) throw cause;
    const failure: Failure = signal.aborted
      ? { kind: 'aborted' }
      : describeNetworkError(cause, limit.isOver() ? timeout : undefined, wasSent || !isWrite);
    return {
      ok: false,
      failure,
      outcome: judgeOutcome(failure, isWrite, wasSent),
      retryAfter: undefined,
      reply: undefined,
      cause,
    };
  } finally {
    limit.clear();
  }
}

/** A read changes nothing, whatever became of it; a write that left may have acted. */
function judgeOutcome(failure: Failure, isWrite: boolean, wasSent: boolean): RequestOutcome {
  if (isWrite) return wasSent ? 'unknown' : 'not_sent';
  return failure.kind === 'unreachable' ? 'not_sent' : 'not_applied';
}

/** A limit that follows the signal and ends by itself. */
function startDeadline(timeout: number, signal: AbortSignal) {
  let isOver = false;
  let ended: Error | undefined;
  let tell = (_: Error) => {};
  const stop = () => {
    ended = new DOMException('The request was ended', 'AbortError');
    tell(ended);
  };
  const timer = setTimeout(() => {
    isOver = true;
    stop();
  }, timeout);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  return {
    onEnd(listener: (reason: Error) => void) {
      tell = listener;
      if (ended !== undefined) listener(ended);
    },
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

function judgeReply(reply: WireReply, isWrite: boolean): AttemptResult {
  if (reply.status >= 200 && reply.status < 300) return { ok: true, reply };
  const error = readServiceError(reply);
  const failure: Failure = error
    ? { kind: 'answer', status: reply.status, error }
    : { kind: 'malformed', status: reply.status, reason: describeUnexpectedResponse(reply) };
  const mayHaveActed = isWrite && reply.status >= 500;
  return {
    ok: false,
    failure,
    outcome: mayHaveActed ? 'unknown' : 'not_applied',
    retryAfter: readRetryAfter(reply),
    reply,
    cause: undefined,
  };
}

function readServiceError(reply: WireReply): ServiceError | undefined {
  try {
    const result = v.safeParse(ServiceError, parseJson(reply.body));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** Says what a reply is that is not the contract's: a proxy's page, a redirect, nothing at all. */
export function describeUnexpectedResponse(reply: WireReply): string {
  const { location } = reply.headers;
  if (reply.status >= 300 && reply.status < 400) {
    return `a redirect${typeof location === 'string' ? ` to ${location}` : ''}, which is never followed with an API key`;
  }
  if (reply.body === '') return 'an empty reply, not the JSON of a pet store';
  const [type] = String(reply.headers['content-type'] ?? '').split(';');
  if (type === 'application/json') return 'JSON that is not the one of a pet store';
  return `${type || 'a reply without a content type'}, not the JSON of a pet store (perhaps a proxy's page)`;
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
function readRetryAfter(reply: WireReply): number | undefined {
  const value = reply.headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
