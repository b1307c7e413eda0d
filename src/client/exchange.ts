import { headers as names } from '../contract/headers.ts';
import { attempt, type Response, watchSending } from './attempt.ts';
import type { ClientOptions } from './client-options.ts';
import { explainError, explainUnexpected, type FailedAttempt } from './failed-attempt.ts';
import { openDispatcher } from './open-dispatcher.ts';
import type { Request } from './request.ts';
import { RequestError } from './request-error.ts';
import { createRedactor, createTrace } from './trace.ts';

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
