import { channel } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import { headers as names } from '../contract/headers.ts';
import {
  explainError,
  explainStatus,
  explainStop,
  explainUnexpected,
  type FailedAttempt,
  RequestError,
  type RequestLine,
} from './failure.ts';
import {
  buildRequest,
  type ClientOptions,
  type Request,
  type RequestEvent,
  type RequestSpec,
} from './request.ts';
import { type Dispatcher, openDispatcher } from './undici.ts';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A response, read to its end. */
export interface Response {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

/** What an attempt came to; a failed one says whether its time was over and whether the request had left this computer. */
export type AttemptResult =
  | { readonly response: Response }
  | { readonly error: unknown; readonly isTimeout: boolean; readonly wasSent: boolean };

export interface Network {
  readonly dispatcher: Dispatcher;
  readonly sendWatch: SendWatch;
}

/** Sends a request once, within a time in milliseconds. */
export async function attempt(
  { dispatcher, sendWatch }: Network,
  request: Request,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<AttemptResult> {
  const deadline = startDeadline(timeoutMs, signal);
  const { method, url, id, headers, body = null } = request;
  try {
    const sent = dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal: deadline.signal,
    });
    // undici notices its signal only once there is a connection, for which a silent proxy lets it wait five minutes.
    const response = await Promise.race([sent, deadline.over]);
    const bytes = await response.body.bytes();
    return { response: { status: response.statusCode, headers: response.headers, body: bytes } };
  } catch (error) {
    const wasSent = sendWatch.take(id);
    return { error, isTimeout: deadline.isOver(), wasSent };
  } finally {
    deadline.clear();
    sendWatch.take(id);
  }
}

/** One controller per attempt: `AbortSignal.any` and `AbortSignal.timeout` slow a large import down. */
function startDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeoutMs);
  const stop = () => controller.abort();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    over,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

/** Remembers which requests undici has started to write. */
export interface SendWatch {
  /** Whether the request with this `X-Request-Id` was sent; forgets it. */
  take(id: string): boolean;
  close(): void;
}

/**
 * The error's class does not show whether a request was sent: ECONNRESET is the same before a connection stands, in a TLS
 * handshake, and after the request. undici's diagnostics can.
 */
export function watchSending(): SendWatch {
  const sending = channel('undici:client:sendHeaders');
  const sent = new Set<string>();
  const listen = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('headers' in message)) return;
    // Absent from the CONNECT to a proxy.
    const id = idPattern.exec(String(message.headers))?.[1];
    if (id !== undefined) sent.add(id);
  };
  sending.subscribe(listen);
  return { take: (id) => sent.delete(id), close: () => void sending.unsubscribe(listen) };
}

const idPattern = new RegExp(`\\r\\n${names.requestId}: (\\S+)`, 'i');

/** Milliseconds that all attempts of one request may take together. */
export const TOTAL_MS = 120_000;

const MAX_RETRY_AFTER_S = 60;
const BASE_MS = 200;
const MAX_DELAY_MS = 10_000;

/** Whether another attempt may fare better after this status. A write may also follow a 500: its key keeps it from being doubled. */
export function isRetryableStatus(status: number, isWrite: boolean): boolean {
  return [408, 429, 502, 503, 504].includes(status) || (isWrite && status === 500);
}

/**
 * Milliseconds until the next attempt: full jitter over a doubling span, on top of what the service asked for, so that not
 * all clients return at once. Infinite where it asked for a longer wait than we take.
 */
export function chooseDelay(attempts: number, retryAfter = 0): number {
  if (retryAfter > MAX_RETRY_AFTER_S) return Infinity;
  return retryAfter * 1000 + Math.random() * Math.min(MAX_DELAY_MS, BASE_MS * 2 ** attempts);
}

/** A value of `Retry-After` in seconds, given as such or as a date (RFC 9110, section 10.2.3). Undefined for anything else. */
export function parseRetryAfter(value: unknown, now = Date.now()): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value);
  // Date.parse takes almost any text for a date, and every HTTP date begins with a weekday.
  const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/** Redacts the key in a text: a service may repeat what it was sent. */
export type Redact = (text: string) => string;

/** What is shorter is part of many words, and no secret. */
const SHORTEST_KEY = 8;

export function createRedactor(apiKey = ''): Redact {
  if (apiKey.length < SHORTEST_KEY) return (text) => text;
  return (text) => text.replaceAll(apiKey, '[redacted]');
}

/** Reports attempts to an observer, the key redacted. */
export function createTrace(observe: (event: RequestEvent) => void, redact: Redact) {
  return {
    request({ headers, body }: Request, request: RequestLine): void {
      observe({ kind: 'request', request, headers: redactHeaders(headers, redact), body });
    },
    result(result: AttemptResult, request: RequestLine, ms: number): void {
      if ('error' in result) {
        const { error } = result;
        const reason = error instanceof Error ? error.message : String(error);
        observe({ kind: 'failure', request, reason, ms });
        return;
      }
      const { status, headers, body } = result.response;
      const text = redact(Buffer.from(body).toString('utf8'));
      observe({
        kind: 'response',
        request,
        status,
        headers: redactHeaders(headers, redact),
        body: text,
        ms,
      });
    },
    retry(reason: string, request: RequestLine, delayMs: number): void {
      observe({ kind: 'retry', request, reason, delayMs });
    },
  };
}

function redactHeaders(headers: ResponseHeaders, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      // Of any length: a short key is a word elsewhere.
      name === 'Authorization' ? 'Bearer [redacted]' : redact([value ?? ''].flat().join(', ')),
    ]),
  );
}

/** A response with its request, and how many milliseconds it took. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly ms: number;
}

/** A response of any status, or why there is none. */
type ExchangeResult = { readonly exchange: Exchange } | { readonly failed: FailedAttempt };

/** Exchanges single requests for responses, traces them, and learns from them whether the service honors idempotency keys. */
export interface Exchanger {
  /** @param limitMs milliseconds for this attempt, where they are fewer than `--timeout`. */
  exchange(request: Request, limitMs?: number): Promise<ExchangeResult>;
  /** Undefined while no response has said so. */
  honorsKeys(): boolean | undefined;
  traceRetry(request: Request, reason: string, delayMs: number): void;
  toError(request: Request, failed: FailedAttempt): RequestError;
  /** The error of a response that does not follow the contract. */
  refuse(exchange: Exchange, problem: string): RequestError;
  close(): Promise<void>;
}

export function createExchanger(options: ClientOptions): Exchanger {
  const { apiKey, proxy, timeoutMs = 30_000, observe, finishesWrites = false } = options;
  const network = { dispatcher: openDispatcher(proxy), sendWatch: watchSending() };
  const redact = createRedactor(apiKey);
  const trace = observe && createTrace(observe, redact);
  let honorsKeys: boolean | undefined;

  const toError = (request: Request, failed: FailedAttempt) => {
    const details = failed.details?.map(redact) ?? [];
    return new RequestError(redact(failed.message), {
      ...failed,
      details,
      request: toLine(request),
      honorsKeys,
    });
  };
  return {
    async exchange(request, limitMs = timeoutMs) {
      const startedAt = performance.now();
      const limit = Math.min(timeoutMs, limitMs);
      const signal = finishesWrites && request.method === 'POST' ? undefined : options.signal;
      trace?.request(request, toLine(request));
      const result = await attempt(network, request, limit, signal);
      const ms = performance.now() - startedAt;
      trace?.result(result, toLine(request), ms);
      if ('error' in result) {
        return { failed: explainError(request, result, { proxy, timeoutMs: limit, signal }) };
      }
      honorsKeys ??= readHonorsKeys(result.response);
      return { exchange: { request, response: result.response, ms } };
    },
    honorsKeys: () => honorsKeys,
    traceRetry: (request, reason, delayMs) => trace?.retry(reason, toLine(request), delayMs),
    toError,
    refuse({ request, response: { status } }, problem) {
      const outcome = request.method === 'POST' ? 'unknown' : 'not_applied';
      return toError(request, {
        ...explainUnexpected(request.url, status, problem),
        status,
        outcome,
      });
    },
    async close() {
      network.sendWatch.close();
      await network.dispatcher.destroy();
    },
  };
}

export function isSuccess({ response: { status } }: Exchange): boolean {
  return status >= 200 && status < 300;
}

function toLine({ method, url, id }: Request) {
  return { method, url: url.href, id };
}

/** A failure without the header says nothing: it may come from a proxy in front of a service that honors keys. */
function readHonorsKeys({ status, headers }: Response): boolean | undefined {
  if (names.petstoreIdempotency.toLowerCase() in headers) return true;
  return status < 300 ? false : undefined;
}

/** Sends a request, and again where that is safe; resolves to a 2xx response. @throws RequestError. */
export type Send = (spec: RequestSpec) => Promise<SentExchange>;

interface SentExchange extends Exchange {
  /** An earlier attempt of the same call may have been applied: what is replayed may be its own. */
  readonly mayRepeat: boolean;
}

/** The loop of attempts. @param askForKeys the request whose response says whether idempotency keys are honored. */
export function createSend(
  exchanger: Exchanger,
  { apiKey, signal, retries = 2 }: ClientOptions,
  askForKeys: RequestSpec,
): Send {
  /** A write that may have been applied is sent again only to a service that recognizes it by its key. */
  const maySendAgain = async (isRecognized: boolean, remainingMs: () => number) => {
    if (isRecognized) return true;
    if (exchanger.honorsKeys() === undefined) {
      await exchanger.exchange(buildRequest(askForKeys, apiKey), remainingMs());
    }
    return exchanger.honorsKeys() === true;
  };
  return async (spec) => {
    const request = buildRequest(spec, apiKey);
    const endsAt = performance.now() + TOTAL_MS;
    const remainingMs = () => endsAt - performance.now();
    let isUnknown = false;
    for (let attempts = 1; ; attempts += 1) {
      const result = await exchanger.exchange(request, remainingMs());
      if ('exchange' in result && isSuccess(result.exchange))
        return { ...result.exchange, mayRepeat: isUnknown };
      const failed =
        'failed' in result ? result.failed : explainStatus(request, result.exchange.response);
      // Once an attempt may have been applied, no later failure makes the outcome known again.
      isUnknown ||= failed.outcome === 'unknown';
      const error = { ...failed, outcome: isUnknown ? 'unknown' : failed.outcome } as const;
      const delay = chooseDelay(attempts, failed.retryAfter);
      const canRetry = failed.isRetryable && attempts <= retries && delay < remainingMs();
      const isSafe = spec.method !== 'POST' || error.outcome === 'not_sent';
      if (!canRetry || !(await maySendAgain(isSafe, remainingMs)) || delay > remainingMs()) {
        throw exchanger.toError(request, error);
      }
      exchanger.traceRetry(request, failed.message, delay);
      await pause(delay, undefined, { signal }).catch(() => {});
      if (signal?.aborted) throw exchanger.toError(request, { ...error, ...explainStop(signal) });
    }
  };
}
