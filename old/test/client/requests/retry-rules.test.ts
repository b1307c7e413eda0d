import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src/client/request-error.ts';
import type { FailedAttempt } from '../../../src/client/requests/attempt.ts';
import { findResendWindow, isAboutThisPet } from '../../../src/client/requests/resend-rules.ts';
import {
  chooseDelay,
  planRetry,
  requestDefaults,
} from '../../../src/client/requests/retry-rules.ts';

const failed = (failure: Failure, retryAfter?: number): FailedAttempt => ({
  ...{ ok: false, failure, outcome: 'unknown', retryAfter, response: undefined, cause: undefined },
});
const response = (status: number, code = 'a_code'): Failure => ({
  ...{ kind: 'response', status, error: { code, message: 'no', status } },
});
const unreachable = (code: string): Failure => ({
  ...{ kind: 'unreachable', reason: 'no', code, isCertificate: false },
});
const isRetried = (failure: Failure, isWrite: boolean) =>
  planRetry(failed(failure), isWrite, 1) !== Infinity;

describe('how long a client waits', () => {
  it.each([
    [1, 400],
    [2, 800],
    [5, 6_400],
    [6, 10_000],
    [100, 10_000],
  ])('after attempt %i: at most %i ms', (attemptsMade, most) => {
    expect(chooseDelay(attemptsMade, undefined, () => 1)).toBe(most);
    expect(chooseDelay(attemptsMade, undefined, () => 0)).toBe(0);
    expect(chooseDelay(attemptsMade, undefined, () => 0.5)).toBe(most / 2);
  });

  it('what the service asks for comes first, up to a minute', () => {
    expect(chooseDelay(1, 3, () => 1)).toBe(3_400);
    expect(chooseDelay(1, 60, () => 0)).toBe(60_000);
    expect(chooseDelay(1, 61, () => 0)).toBe(Infinity);
    expect(planRetry(failed(response(503), 61), false, 1)).toBe(Infinity);
  });

  it('two retries and thirty seconds per attempt unless its caller says otherwise', () => {
    expect(requestDefaults).toEqual({ timeout: 30_000, retries: 2 });
  });
});

describe('what is worth a retry', () => {
  it.each([408, 429, 502, 503, 504])('%i, of reads and writes', (status) => {
    const unexpected: Failure = { kind: 'unexpected_response', status, reason: 'no' };
    for (const failure of [response(status), unexpected])
      expect([isRetried(failure, false), isRetried(failure, true)]).toEqual([true, true]);
  });

  it('500 of a write alone, whose key makes sure', () => {
    expect([isRetried(response(500), false), isRetried(response(500), true)]).toEqual([
      false,
      true,
    ]);
  });

  it('a write whose first request is still running', () => {
    const running = response(409, 'idempotency_conflict');
    expect([isRetried(running, true), isRetried(running, false)]).toEqual([true, false]);
  });

  it.each([400, 401, 403, 404, 409, 413, 422, 501])('not %i', (status) => {
    expect([isRetried(response(status), false), isRetried(response(status), true)]).toEqual([
      false,
      false,
    ]);
  });

  it('not what is not HTTP at all, nor what was stopped', () => {
    const noHttp: Failure = { kind: 'unexpected_response', status: undefined, reason: 'no' };
    expect([isRetried(noHttp, true), isRetried({ kind: 'aborted' }, true)]).toEqual([false, false]);
  });

  it('a lost connection', () => {
    const lost: Failure = { kind: 'no_response', reason: 'no', isTimeout: false, hasBegun: true };
    expect([isRetried(lost, false), isRetried(lost, true)]).toEqual([true, true]);
  });

  it.each([
    'ECONNREFUSED',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'timeout',
    'ECONNRESET',
    'UND_ERR_SOCKET',
  ])('a service that was not reached: %s', (code) => {
    expect(isRetried(unreachable(code), false)).toBe(true);
  });

  it.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'xECONNREFUSED', 'ECONNREFUSEDx'])(
    'not what stays as it is: %s',
    (code) => {
      expect(isRetried(unreachable(code), false)).toBe(false);
    },
  );
});

describe('a write that is sent again', () => {
  it('was sent between seven days less an hour ago and five minutes from now', () => {
    expect(findResendWindow(new Date('2026-11-20T09:00:00Z'))).toEqual({
      from: new Date('2026-11-13T10:00:00Z'),
      until: new Date('2026-11-20T09:05:00Z'),
    });
  });

  it.each([
    [400, true],
    [413, true],
    [422, true],
    [401, false],
    [403, false],
    [409, false],
    [500, false],
  ])('%i is about this pet: %s', (status, expected) => {
    expect(isAboutThisPet(response(status))).toBe(expected);
    expect(isAboutThisPet({ kind: 'unexpected_response', status, reason: 'no' })).toBe(false);
  });
});
