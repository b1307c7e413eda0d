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

/** What a proxy says to a request for a connection. */
const tunnelReasons: Record<string, string> = {
  403: ': it does not allow the connection',
  407: ': it wants a user name and password, in its URL',
  502: ': it does not reach the host',
  503: ': it does not reach the host',
  504: ': it does not reach the host',
};

const certificateCode = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO)/;

/** How far an attempt came before it failed. */
export interface AttemptState {
  /** Milliseconds, if the attempt ran out of time. */
  timeout: number | undefined;
  mayHaveBeenSent: boolean;
  /** Whether the head of the response had arrived. */
  hasBegun: boolean;
}

/** Describes what went wrong on the network. */
export function describeNetworkError(
  error: unknown,
  { timeout, mayHaveBeenSent, hasBegun }: AttemptState,
): Failure {
  const code = readCode(error);
  if (isNotHttp(error, hasBegun)) {
    const reason = `bytes that are not an HTTP response (${messageOf(error)})`;
    return { kind: 'unexpected_response', status: undefined, reason };
  }
  const isCertificate = certificateCode.test(code);
  const unreachable = (reason: string): Failure => {
    return { kind: 'unreachable', reason, code, isCertificate };
  };
  if (timeout !== undefined) {
    const limit = `${timeout / 1000} s`;
    return mayHaveBeenSent
      ? {
          kind: 'no_response',
          reason: `no complete response within ${limit}`,
          isTimeout: true,
          hasBegun,
        }
      : {
          kind: 'unreachable',
          reason: `no connection within ${limit}`,
          code: 'timeout',
          isCertificate: false,
        };
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const reason = 'a body larger than any page of pets';
    return { kind: 'unexpected_response', status: 200, reason };
  }
  const known = beforeConnection[code];
  if (known !== undefined) return unreachable(known);
  const message = messageOf(error);
  if (isCertificate) return unreachable(`the secure connection failed: ${message}`);
  const tunnel = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (tunnel !== undefined)
    return unreachable(`it responded ${tunnel}${tunnelReasons[tunnel] ?? ''}`);
  if (!mayHaveBeenSent || code === 'UND_ERR_ABORTED') return unreachable(message);
  const reason = hasBegun
    ? `the connection was lost in the middle of the response (${message})`
    : `the connection was lost before a response came (${message})`;
  return { kind: 'no_response', reason, isTimeout: false, hasBegun };
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

/** Of undici's parser, whose errors have a code of their own but not always a value for it. */
function isNotHttp(error: unknown, hasBegun: boolean): boolean {
  const code = readCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return true;
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return !hasBegun;
  return error instanceof Error && error.name === 'HTTPParserError';
}
