import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from './client-options.ts';
import { type Exchange, type Exchanger, isSuccess } from './exchange.ts';
import { explainStatus, explainStop } from './failed-attempt.ts';
import { buildRequest, type RequestSpec } from './request.ts';
import { chooseDelay, TOTAL_MS } from './retry.ts';

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
