import { describe, expect, it } from 'vitest';
import {
  describeFailure,
  isStillRunning,
  RequestError,
} from '../../../src/client/request-error.ts';
import {
  describeNetworkError,
  isNetworkError,
} from '../../../src/client/transport/network-error.ts';

const coded = (code: string, message = 'because', name = 'Error') =>
  Object.assign(new Error(message), { code, name });
const state = { timeout: undefined, mayHaveBeenSent: true, hasBegun: false };
const notSent = { ...state, mayHaveBeenSent: false };
const begun = { ...state, hasBegun: true };
const unreachable = (reason: string, code: string, isCertificate = false) => ({
  ...{ kind: 'unreachable', reason, code, isCertificate },
});
const lost = (reason: string, hasBegun: boolean, isTimeout = false) => ({
  ...{ kind: 'no_response', reason, isTimeout, hasBegun },
});

describe('what happened on the way to a service', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused: nothing listens there'],
    ['ENOTFOUND', 'the host name is not known'],
    ['EAI_AGAIN', 'the host name could not be looked up'],
    ['EHOSTUNREACH', 'the host cannot be reached'],
    ['ENETUNREACH', 'the network cannot be reached'],
    ['EACCES', 'this machine does not allow the connection'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection within 10 seconds'],
    ['ETIMEDOUT', 'no connection in time'],
    ['UND_ERR_PRX_TLS', 'the secure connection to the proxy failed'],
  ])('%s: %s', (code, reason) => {
    expect(describeNetworkError(coded(code), state)).toEqual(unreachable(reason, code));
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'EPROTO',
  ])('%s is about the certificate', (code) => {
    expect(describeNetworkError(coded(code), state)).toEqual(
      unreachable('the secure connection failed: because', code, true),
    );
  });

  it('a code that only contains such a name is not', () => {
    expect(describeNetworkError(coded('X_CERT_'), notSent)).toEqual(
      unreachable('because', 'X_CERT_'),
    );
  });

  it.each([
    ['403', ': it does not allow the connection'],
    ['407', ': it wants a user name and password, in its URL'],
    ['502', ': it does not reach the host'],
    ['503', ': it does not reach the host'],
    ['504', ': it does not reach the host'],
    ['418', ''],
  ])('a proxy that says %s', (status, reason) => {
    const error = coded('UND_ERR_ABORTED', `Proxy response (${status}) !== 200`);
    expect(describeNetworkError(error, state)).toEqual(
      unreachable(`it responded ${status}${reason}`, 'UND_ERR_ABORTED'),
    );
  });

  it('only a message that begins so is of a proxy', () => {
    const message = 'no Proxy response (403)';
    expect(describeNetworkError(coded('X', message), notSent)).toEqual(unreachable(message, 'X'));
  });

  it.each([
    [coded('ECONNRESET'), notSent, unreachable('because', 'ECONNRESET')],
    [coded('UND_ERR_ABORTED'), state, unreachable('because', 'UND_ERR_ABORTED')],
    [
      coded('ECONNRESET'),
      state,
      lost('the connection was lost before a response came (because)', false),
    ],
    [
      coded('ECONNRESET'),
      begun,
      lost('the connection was lost in the middle of the response (because)', true),
    ],
    [coded('X', ''), notSent, unreachable('Error', 'X')],
    ['no error', notSent, unreachable('no error', '')],
  ])('%# before it was sent, before a response, and in the middle of one', (error, at, failure) => {
    expect(describeNetworkError(error, at)).toEqual(failure);
  });

  it('the time that ran out counts more than what broke by it', () => {
    expect(describeNetworkError(coded('ECONNREFUSED'), { ...notSent, timeout: 1_500 })).toEqual(
      unreachable('no connection within 1.5 s', 'timeout'),
    );
    expect(describeNetworkError(coded('ECONNRESET'), { ...begun, timeout: 2_000 })).toEqual(
      lost('no complete response within 2 s', true, true),
    );
  });

  it.each([
    [coded('', 'Expected HTTP/', 'HTTPParserError'), state, undefined],
    [coded('UND_ERR_HEADERS_OVERFLOW'), begun, undefined],
    [coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), state, undefined],
    [coded('UND_ERR_RES_EXCEEDED_MAX_SIZE'), begun, 200],
  ])('%# a response that is not one', (error, at, status) => {
    const reason =
      status === 200
        ? 'a body larger than any page of pets'
        : `bytes that are not an HTTP response (${error.message})`;
    expect(describeNetworkError(error, at)).toEqual({
      ...{ kind: 'unexpected_response', status, reason },
    });
  });

  it('a body that is shorter than was said is a lost connection', () => {
    expect(describeNetworkError(coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), begun)).toEqual(
      lost('the connection was lost in the middle of the response (because)', true),
    );
  });

  it('an error without a code is a bug, unless it ends a request', () => {
    expect(isNetworkError(coded('ECONNRESET'))).toBe(true);
    expect(isNetworkError(new DOMException('ended', 'AbortError'))).toBe(true);
    expect(isNetworkError(Object.assign(new Error('ended'), { name: 'AbortError' }))).toBe(true);
    expect(isNetworkError(new TypeError('a bug'))).toBe(false);
    expect(isNetworkError({ code: 'ECONNRESET', name: 'AbortError' })).toBe(false);
  });
});

describe('a request that failed', () => {
  const request = { method: 'GET', url: 'https://pets.test/v1/pets', id: 'r1' } as const;
  const error = { code: 'not_found', message: 'no pet', status: 404 };

  it.each([
    [{ kind: 'response', status: 404, error }, '404 not_found: no pet'],
    [{ kind: 'unexpected_response', status: 302, reason: 'a redirect' }, '302: a redirect'],
    [{ kind: 'unexpected_response', status: undefined, reason: 'no HTTP' }, 'no HTTP'],
    [{ kind: 'unreachable', reason: 'refused', code: 'X', isCertificate: false }, 'refused'],
    [{ kind: 'no_response', reason: 'lost', isTimeout: false, hasBegun: false }, 'lost'],
    [{ kind: 'aborted' }, 'interrupted'],
  ] as const)('%j in a phrase: %s', (failure, phrase) => {
    expect(describeFailure(failure)).toBe(phrase);
    expect(new RequestError(request, failure, 'unknown', {}).message).toBe(
      `GET https://pets.test/v1/pets: ${phrase}`,
    );
  });

  it('has what it is about', () => {
    const options = { retryAfter: 3, idempotencyKey: 'k', honorsIdempotency: true, cause: 'why' };
    const failure = { kind: 'aborted' } as const;
    expect(new RequestError(request, failure, 'not_sent', options)).toMatchObject({
      ...{ name: 'RequestError', request, failure, outcome: 'not_sent', ...options },
    });
  });

  it('is still running only where the service says so', () => {
    const running = { ...error, code: 'idempotency_conflict' };
    expect(isStillRunning({ kind: 'response', status: 409, error: running })).toBe(true);
    expect(isStillRunning({ kind: 'response', status: 409, error })).toBe(false);
    expect(isStillRunning({ kind: 'aborted' })).toBe(false);
  });
});
