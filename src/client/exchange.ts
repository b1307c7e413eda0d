import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { headers } from '../contract/headers.ts';
import { type AttemptResult, attempt } from './attempt.ts';
import { RequestError, type RequestLine } from './request-error.ts';
import { makeRequestId } from './request-id.ts';
import { chooseDelay, isWorthRetrying } from './retry-rules.ts';
import type { Trace } from './trace.ts';
import type { Transport } from './transport/transport.ts';
import type { WireReply, WireRequest } from './transport/wire.ts';

export interface ExchangeOptions {
  baseUrl: string;
  apiKey: string;
  userAgent: string;
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Attempts after the first. */
  retries: number;
  signal: AbortSignal;
  trace: Trace;
}

/** What is asked, apart from what every request carries. */
export interface Question {
  method: 'GET' | 'POST' | 'HEAD';
  url: URL;
  body?: string;
  idempotencyKey?: string;
}

/** Asks the service, again where that is safe and may help. */
export interface Exchange {
  ask(question: Question): Promise<{ reply: WireReply; request: RequestLine }>;
  /** Whether this service honours idempotency keys; undefined as long as no reply has told. */
  honoursKeys(): boolean | undefined;
}

const TOTAL_MS = 120_000;

/** Milliseconds that only ever grow. A first look at `performance` costs Node 1.5 ms, a tenth of its whole start. */
const readClock = () => process.uptime() * 1000;

export function createExchange(transport: Transport, options: ExchangeOptions): Exchange {
  // An import has many requests under way, and each listens.
  setMaxListeners(0, options.signal);
  /** Whether this service honours idempotency keys, once a reply has told. */
  let honoursKeys: boolean | undefined;

  const attemptOnce = async (request: WireRequest, deadline: number): Promise<AttemptResult> => {
    const started = readClock();
    options.trace.request?.(request);
    const timeout = Math.min(options.timeout, deadline - started);
    const result = await attempt(transport, request, { timeout, signal: options.signal });
    options.trace.result?.(request, result, readClock() - started);
    honoursKeys ??= tellsHonoursKeys(result);
    return result;
  };

  /** A write is repeated only when it surely never left, or when the service recognises it by its key. */
  const maySendAgain = async (
    question: Question,
    result: AttemptResult,
    deadline: number,
  ): Promise<boolean> => {
    if (result.ok || question.method !== 'POST' || result.outcome === 'not_sent') return true;
    if (honoursKeys === undefined) {
      await attemptOnce(
        buildRequest({ method: 'HEAD', url: pageUrl(options.baseUrl) }, makeRequestId(), options),
        deadline,
      );
    }
    return honoursKeys === true;
  };

  const ask: Exchange['ask'] = async (question) => {
    const line = { method: question.method, url: question.url.href, id: makeRequestId() };
    const request = buildRequest(question, line.id, options);
    const deadline = readClock() + TOTAL_MS;
    let isUnsettled = false;
    for (let made = 1; ; made += 1) {
      const result = await attemptOnce(request, deadline);
      if (result.ok) return { reply: result.reply, request: line };
      // Once an attempt may have acted, no later failure makes the outcome known again.
      isUnsettled ||= result.outcome === 'unknown';
      if (isUnsettled) result.outcome = 'unknown';
      const delay = planRetry(result, question, made, options.retries);
      const isLate = () => readClock() + delay > deadline;
      // Looked at again afterwards: asking takes time too.
      if (isLate() || !(await maySendAgain(question, result, deadline)) || isLate())
        throw toError(line, question, result);
      options.trace.retry?.(result.failure, delay);
      await wait(delay, undefined, { signal: options.signal }).catch(() => {});
      if (options.signal.aborted)
        throw toError(line, question, { ...result, failure: { kind: 'aborted' } });
    }
  };
  return { ask, honoursKeys: () => honoursKeys };
}

/** A failure without the header says nothing: it may come from a proxy in front of a service that honours keys. */
function tellsHonoursKeys({ ok, reply }: AttemptResult): boolean | undefined {
  if (reply && headers.petstoreIdempotency.toLowerCase() in reply.headers) return true;
  return ok ? false : undefined;
}

type FailedAttempt = Exclude<AttemptResult, { ok: true }>;

/** Milliseconds until another attempt; without end when there is to be none. */
function planRetry(
  result: FailedAttempt,
  { method }: Question,
  made: number,
  retries: number,
): number {
  const mayHelp = made <= retries && isWorthRetrying(result.failure, method === 'POST');
  const delay = mayHelp ? chooseDelay(made, result.retryAfter, Math.random) : undefined;
  return delay ?? Number.POSITIVE_INFINITY;
}

function toError(
  line: RequestLine,
  { idempotencyKey }: Question,
  result: FailedAttempt,
): RequestError {
  const { failure, outcome, retryAfter, cause } = result;
  return new RequestError(line, failure, outcome, { retryAfter, idempotencyKey, cause });
}

function pageUrl(baseUrl: string): URL {
  return new URL(`${baseUrl}/pets?limit=1`);
}

/** A question with what every request carries. */
export function buildRequest(
  question: Question,
  id: string,
  options: Pick<ExchangeOptions, 'apiKey' | 'userAgent'>,
): WireRequest {
  const { method, url, body, idempotencyKey } = question;
  return {
    method,
    url,
    body,
    headers: {
      Authorization: `Bearer ${options.apiKey}`,
      Accept: 'application/json',
      'User-Agent': options.userAgent,
      [headers.requestId]: id,
      ...(body === undefined
        ? {}
        : {
            'Content-Type': 'application/json',
            'Content-Length': String(Buffer.byteLength(body)),
          }),
      ...(idempotencyKey === undefined ? {} : { [headers.idempotencyKey]: idempotencyKey }),
    },
  };
}
