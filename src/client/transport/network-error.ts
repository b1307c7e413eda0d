import type { Failure } from '../request-error.ts';

/** A page of 100 pets is some 20 KB; a response this large is not the service's. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Failures on the way to the service. All of them happen before a connection is established. */
const beforeConnection: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EACCES: 'this machine does not allow the connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_PRX_TLS: 'the secure connection to the proxy failed',
};

const certificateCode = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO)/;

/**
 * Describes what went wrong on the network.
 * @param timeout milliseconds, if the attempt ran out of time.
 * @param mayHaveBeenSent whether the request may have been sent before.
 */
export function describeNetworkError(
  error: unknown,
  timeout: number | undefined,
  mayHaveBeenSent: boolean,
): Failure {
  const code = readCode(error);
  if (timeout !== undefined) {
    const reason = `no complete response within ${timeout / 1000} s`;
    return mayHaveBeenSent
      ? { kind: 'no_response', reason, isTimeout: true }
      : {
          kind: 'unreachable',
          reason: `no connection within ${timeout / 1000} s`,
          code: 'timeout',
        };
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return {
      kind: 'unexpected_response',
      status: 200,
      reason: 'a body larger than any page of pets',
    };
  }
  const known = beforeConnection[code];
  if (known !== undefined) return { kind: 'unreachable', reason: known, code };
  if (certificateCode.test(code)) {
    return {
      kind: 'unreachable',
      reason: `the secure connection failed: ${messageOf(error)}`,
      code,
    };
  }
  if (!mayHaveBeenSent || code === 'UND_ERR_ABORTED') {
    return { kind: 'unreachable', reason: messageOf(error), code };
  }
  return {
    kind: 'no_response',
    reason: `the connection broke before the response was complete (${messageOf(error)})`,
    isTimeout: false,
  };
}

/** Errors of the network and of undici carry a code; one without a code is a bug of this program. */
export function isNetworkError(error: unknown): boolean {
  return readCode(error) !== '' || (error instanceof Error && error.name === 'AbortError');
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
