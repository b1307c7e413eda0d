import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { headers } from '../../contract/headers.ts';
import { operationPath, pageLimits } from '../../contract/operations.ts';
import { version } from '../../version.ts';
import type { ClientOptions } from '../client.ts';
import { createQuote, type Quote } from '../quote.ts';
import type { Exchange } from '../read-response.ts';
import { type Failure, RequestError, type RequestLine } from '../request-error.ts';
import type {
  HttpRequest,
  HttpResponse,
  ResponseHead,
  Transport,
  TransportOptions,
} from '../transport/transport.ts';
import { type AttemptOptions, type AttemptResult, attempt, type FailedAttempt } from './attempt.ts';
import { TOTAL_MS } from './request-limits.ts';
import { planRetry } from './retry-rules.ts';

/** Observes all requests and responses. Redaction is left to the observer. */
export interface Trace {
  request?(request: HttpRequest): void;
  /** @param ms how long the attempt took. */
  result?(request: HttpRequest, result: AttemptResult, ms: number): void;
  /** @param ms how long until the next attempt. */
  retry?(failure: Failure, ms: number): void;
}

/** What the client was given, defaults filled in. */
export type SenderOptions = Required<Omit<ClientOptions, keyof TransportOptions>>;

/** How to send a request before it is known to be needed. */
export interface AheadOptions {
  /** Until this resolves, a failed attempt is neither repeated nor reported. */
  wanted: Promise<void>;
  /** Ends the request. */
  signal: AbortSignal;
}

/** A request without what all requests have in common. */
export interface RequestSpec extends Partial<AheadOptions> {
  method: HttpRequest['method'];
  url: URL;
  body?: string;
  idempotencyKey?: string;
  /** Called with the head of every response, before its body has arrived. */
  onHead?(head: ResponseHead): void;
}

/** Sends requests, and retries those that are safe to retry. */
export interface RequestSender {
  send(spec: RequestSpec): Promise<Exchange>;
  /** Whether this service honors idempotency keys; undefined until a response has said so. */
  honorsKeys(): boolean | undefined;
}

/** Milliseconds on a monotonic clock. Not `performance.now`, which takes Node longer to load. */
const readClock = () => process.uptime() * 1000;

export function createRequestSender(transport: Transport, options: SenderOptions): RequestSender {
  // An import has many requests in flight, and each listens.
  setMaxListeners(0, options.signal);
  const quote = createQuote(options.apiKey);
  const joinSignals = createSignalJoiner(options.signal);
  const createRequestId = createRequestIds();
  const { attemptOnce, honorsKeys, isHonored } = createAttempts(transport, options, quote);

  /** A write is sent again only if it was surely not sent before, or if the service recognizes it by its key. */
  const maySendAgain = async (
    spec: RequestSpec,
    result: AttemptResult,
    deadline: number,
  ): Promise<boolean> => {
    if (result.ok || spec.method !== 'POST' || result.outcome === 'not_sent') return true;
    if (honorsKeys() === undefined) {
      const head = specifyHead(options.baseUrl);
      const request = buildRequest(head, createRequestId(), options.apiKey);
      await attemptOnce(request, deadline, options);
    }
    return isHonored() === true;
  };

  const send: RequestSender['send'] = async (spec) => {
    const line = { method: spec.method, url: spec.url.href, id: createRequestId() };
    const request = buildRequest(spec, line.id, options.apiKey);
    const { onHead } = spec;
    const signal = spec.signal === undefined ? options.signal : joinSignals(spec.signal);
    let deadline = readClock() + TOTAL_MS;
    let isUnknown = false;
    for (let attempts = 1; ; attempts += 1) {
      const result = await attemptOnce(request, deadline, { signal, onHead });
      if (result.ok) return toExchange(spec, line, result.response, { quote, isHonored });
      const failedAt = readClock();
      await spec.wanted;
      // The time in which nobody needed the response is not the request's.
      deadline += readClock() - failedAt;
      // Once an attempt may have been applied, no later failure makes the outcome known again.
      isUnknown ||= result.outcome === 'unknown';
      if (isUnknown) result.outcome = 'unknown';
      const isFinal = attempts > options.retries;
      const delay = isFinal ? Infinity : planRetry(result, spec.method === 'POST', attempts);
      const isLate = () => readClock() + delay > deadline;
      // Checked again afterwards: the request that finds it out takes time too.
      if (isLate() || !(await maySendAgain(spec, result, deadline)) || isLate())
        throw toError(line, spec, result, isHonored());
      options.trace.retry?.(result.failure, delay);
      await wait(delay, undefined, { signal }).catch(() => {});
      if (signal.aborted)
        throw toError(line, spec, { ...result, failure: { kind: 'aborted' } }, isHonored());
    }
  };
  return { send, honorsKeys };
}

/** Makes single attempts, and learns from their responses whether the service honors idempotency keys. */
function createAttempts(transport: Transport, options: SenderOptions, quote: Quote) {
  let honorsKeys: boolean | undefined;
  return {
    async attemptOnce(
      request: HttpRequest,
      deadline: number,
      { signal, onHead }: Pick<AttemptOptions, 'signal' | 'onHead'>,
    ): Promise<AttemptResult> {
      const started = readClock();
      options.trace.request?.(request);
      const timeout = Math.min(options.timeout, deadline - started);
      const result = await attempt(transport, request, { timeout, signal, quote, onHead });
      options.trace.result?.(request, result, readClock() - started);
      honorsKeys ??= readHonorsKeys(result);
      return result;
    },
    honorsKeys: () => honorsKeys,
    /** Where nothing responds, what the service promised an earlier run is all there is. */
    isHonored: () => honorsKeys ?? (options.recallIdempotency() || undefined),
  };
}

/** Joins a signal with another one, once for requests in a row that are given the same: a signal is slow to make. */
function createSignalJoiner(always: AbortSignal): (given: AbortSignal) => AbortSignal {
  let last: { given: AbortSignal; joined: AbortSignal } | undefined;
  return (given) => {
    if (last?.given !== given) last = { given, joined: AbortSignal.any([always, given]) };
    return last.joined;
  };
}

function toError(
  request: RequestLine,
  { idempotencyKey }: RequestSpec,
  { failure, outcome, retryAfter, cause }: FailedAttempt,
  honorsIdempotency: boolean | undefined,
): RequestError {
  const rest = { retryAfter, idempotencyKey, honorsIdempotency, cause };
  return new RequestError(request, failure, outcome, rest);
}

function toExchange(
  spec: RequestSpec,
  request: RequestLine,
  response: HttpResponse,
  { quote, isHonored }: { quote: Quote; isHonored(): boolean | undefined },
): Exchange {
  const { status } = response;
  const outcome = spec.method === 'POST' ? 'unknown' : 'not_applied';
  const refuse = (reason: string, cause?: unknown) => {
    const failure = { kind: 'unexpected_response', status, reason } as const;
    const rest = { retryAfter: undefined, response, cause };
    return toError(request, spec, { ok: false, failure, outcome, ...rest }, isHonored());
  };
  return { response, request, quote, refuse };
}

/** The cheapest request whose response says whether keys are honored. */
function specifyHead(baseUrl: string): RequestSpec {
  const url = new URL(`${baseUrl}${operationPath('listPets')}?limit=${pageLimits.min}`);
  return { method: 'HEAD', url };
}

/** A failure without the header proves nothing: it may come from a proxy in front of a service that honors keys. */
function readHonorsKeys({ ok, response }: AttemptResult): boolean | undefined {
  if (response && headers.petstoreIdempotency.toLowerCase() in response.headers) return true;
  return ok ? false : undefined;
}

/** Identifies requests in logs. The ids need not be hard to guess, so they do without node:crypto, which is slow to load. */
function createRequestIds(): () => string {
  const prefix = Math.random().toString(16).slice(2, 14).padEnd(12, '0');
  let count = Math.floor(Math.random() * 2 ** 32);
  return () => {
    count += 1;
    return prefix + count.toString(16).padStart(12, '0');
  };
}

/** Adds what all requests have in common. */
export function buildRequest(spec: RequestSpec, id: string, apiKey: string): HttpRequest {
  const { method, url, body, idempotencyKey } = spec;
  return {
    method,
    url,
    body,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      Accept: 'application/json',
      'User-Agent': `petstore-cli/${version}`,
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
