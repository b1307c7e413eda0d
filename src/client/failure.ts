import {
  exitCodeOfStatus,
  exitCodes,
  type LocalCode,
  messageOf,
  type Outcome,
  UserError,
} from '../errors.ts';
import type { ProxyOptions, Request } from './request.ts';
import { readErrorBody } from './response.ts';
import { type AttemptResult, isRetryableStatus, parseRetryAfter, type Response } from './send.ts';
import { ProxyError } from './undici.ts';

/** What an error and the trace say of a request. */
export interface RequestLine {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly url: string;
  /** Sent as `X-Request-Id`; the service's log has it too. */
  readonly id: string;
}

export interface RequestErrorOptions {
  readonly request: RequestLine;
  /** Of this program, or of the service's Error body. */
  readonly code: LocalCode | (string & {});
  /** Of the response, if there was one. */
  readonly status?: number | undefined;
  readonly outcome: Outcome;
  /** Further lines: what the system or the service said, and what helps. */
  readonly details?: readonly string[];
  /** Whether the same request may succeed later. */
  readonly isRetryable?: boolean;
  /** Seconds that the service asked to wait (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  /** The `Date` of the response. */
  readonly serverDate?: Date | undefined;
  /** Whether the service honors idempotency keys; undefined when no response of this run has said so. */
  readonly honorsKeys?: boolean | undefined;
  readonly cause?: unknown;
}

/** A request that failed after all its attempts. Its message is one sentence in words; the key is redacted in all texts. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly request: RequestLine;
  readonly code: string;
  readonly exitCode: number;
  readonly status: number | undefined;
  readonly outcome: Outcome;
  readonly details: readonly string[];
  readonly isRetryable: boolean;
  readonly retryAfter: number | undefined;
  readonly serverDate: Date | undefined;
  readonly honorsKeys: boolean | undefined;

  constructor(message: string, options: RequestErrorOptions) {
    super(message, { cause: options.cause });
    this.request = options.request;
    this.code = options.code;
    this.status = options.status;
    this.outcome = options.outcome;
    this.details = options.details ?? [];
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfter = options.retryAfter;
    this.serverDate = options.serverDate;
    this.honorsKeys = options.honorsKeys;
    this.exitCode = findExitCode(options);
  }
}

/** A write whose outcome is unknown is exit 9, whatever the cause. */
function findExitCode({ code, status, outcome }: RequestErrorOptions): number {
  if (outcome === 'unknown') return exitCodes.cli_outcome_unknown;
  if (isLocalCode(code)) return exitCodes[code];
  return exitCodeOfStatus(status ?? 500);
}

/** Whether a code is this program's own and not the service's. */
export function isLocalCode(code: string): code is LocalCode {
  return Object.hasOwn(exitCodes, code);
}

/** What an attempt that failed says of itself: the start of a RequestError. */
export type FailedAttempt = Omit<RequestErrorOptions, 'request' | 'honorsKeys'> & {
  readonly message: string;
};

/** The first request with this idempotency key has not ended: nobody knows yet how it will. */
const STILL_RUNNING = 'idempotency_conflict';

/** Says what a response other than 2xx means. */
export function explainStatus(request: Request, response: Response): FailedAttempt {
  const { status, headers } = response;
  const isWrite = request.method === 'POST';
  const body = readErrorBody(response);
  const isRunning = 'value' in body && isWrite && body.value.code === STILL_RUNNING;
  const rest = {
    status,
    outcome: isWrite && (status >= 500 || isRunning) ? 'unknown' : 'not_applied',
    isRetryable: isRunning || isRetryableStatus(status, isWrite),
    retryAfter: parseRetryAfter(headers['retry-after']),
    serverDate: parseDate(headers.date),
  } as const;
  // A code of this program's own would choose the exit code.
  if ('value' in body && !body.value.code.startsWith('cli_'))
    return { code: body.value.code, message: body.value.message, ...rest };
  const problem = 'problem' in body ? body.problem : 'a code that only petstore itself gives';
  return { ...explainUnexpected(request.url, status, problem), ...rest };
}

/** Of a response that does not follow the contract: another program, or a proxy, is at the address. */
export function explainUnexpected(url: URL, status: number, problem: string) {
  const isAway = [502, 503, 504].includes(status);
  return {
    code: 'cli_unexpected_response',
    message: isAway
      ? `${url.host} is not available at the moment.`
      : `${url.host} did not respond as a pet store.`,
    details: [`it responded ${status} with ${problem}`],
  } as const;
}

/** Says why no response came. @throws what was thrown when it is a bug of this program. */
export function explainError(
  request: Request,
  result: Extract<AttemptResult, { error: unknown }>,
  { proxy, timeoutMs, signal }: ExplainContext,
): FailedAttempt {
  const { error, isTimeout, wasSent } = result;
  const outcome = chooseOutcome(request.method === 'POST', wasSent);
  if (signal?.aborted) return { ...explainStop(signal), outcome };
  const { url } = request;
  const limit = isTimeout ? timeoutMs : undefined;
  const failure = describeFailure(error, { url, proxy, timeoutMs: limit, wasSent });
  if (failure === undefined) throw error;
  return { ...failure, outcome, cause: error };
}

export interface ExplainContext {
  readonly proxy: ProxyOptions | undefined;
  /** Of this attempt. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The program was told to stop; the reason says by what. */
export function explainStop({ reason }: AbortSignal) {
  const code = reason instanceof UserError ? reason.code : 'cli_interrupted';
  return { code, message: 'Stopped.' };
}

/** A failed read changes nothing; a write that was sent may have been applied. */
function chooseOutcome(isWrite: boolean, wasSent: boolean): Outcome {
  if (!wasSent) return 'not_sent';
  return isWrite ? 'unknown' : 'not_applied';
}

function parseDate(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** Why an attempt brought no response, in words. */
export interface Failure {
  readonly code: LocalCode;
  readonly message: string;
  readonly details: readonly string[];
  /** Whether the same attempt may succeed in a moment. */
  readonly isRetryable: boolean;
}

/** What is known of the attempt beside what was thrown. */
export interface FailureContext {
  readonly url: URL;
  /** The proxy's URL and the variable that names it, where one is set. */
  readonly proxy: { readonly url: URL; readonly source: string } | undefined;
  /** Milliseconds, if the attempt ran out of time. */
  readonly timeoutMs: number | undefined;
  /** Whether the request had left this computer. */
  readonly wasSent: boolean;
}

/** The one place that says what failed on the network. Undefined for what is a bug of this program. */
export function describeFailure(error: unknown, context: FailureContext): Failure | undefined {
  const { host } = context.url;
  if (context.timeoutMs !== undefined) return describeTimeout(context.timeoutMs, context);
  if (error instanceof ProxyError) return describeProxyFailure(error.cause, context);
  const proxyStatus = /^Proxy response \((\d+)\)/.exec(messageOf(error))?.[1];
  if (proxyStatus !== undefined) return describeProxyStatus(proxyStatus, context);
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return unexpected(`${host} did not respond with HTTP.`, [error.message]);
  }
  if (code === '') return undefined;
  const connection = connectionReasons[code];
  if (connection !== undefined) {
    const [reason, isRetryable] = connection;
    return unreachable(`${host} cannot be reached: ${reason}.`, [code], isRetryable);
  }
  if (tlsCode.test(code)) return describeTlsFailure(code, error, host);
  return describeBrokenResponse(code, context);
}

/** Of a connection that was not made: what it means, and whether it may be different in a moment. */
const connectionReasons: Readonly<Record<string, readonly [reason: string, isRetryable: boolean]>> =
  {
    ECONNREFUSED: ['nothing listens there', true],
    ENOTFOUND: ['there is no host of this name', false],
    EAI_AGAIN: ['its name cannot be looked up, so there may be no network', true],
    EHOSTUNREACH: ['there is no route to it', true],
    ENETUNREACH: ['there is no network', true],
    EACCES: ['this computer does not allow the connection', false],
    ETIMEDOUT: ['it does not respond', true],
    UND_ERR_CONNECT_TIMEOUT: ['it did not accept a connection within 10 s', true],
  };

function describeTimeout(timeoutMs: number, context: FailureContext): Failure {
  const { url, wasSent } = context;
  const limit = `${timeoutMs / 1000} s`;
  const message = wasSent
    ? `${url.host} did not respond within ${limit}.`
    : `${url.host} did not accept a connection within ${limit}.`;
  return { code: 'cli_timeout', message, details: listProxy(context), isRetryable: true };
}

/** Where nothing says whether the proxy failed or what is behind it. */
function listProxy({ proxy, wasSent }: FailureContext): string[] {
  return proxy === undefined || wasSent
    ? []
    : [`${proxy.source} names the proxy ${proxy.url.host}`];
}

function describeProxyFailure(error: unknown, { proxy }: FailureContext): Failure {
  const code = codeOf(error);
  const [reason = 'it closed the connection', isRetryable = true] = connectionReasons[code] ?? [];
  const isTls = tlsCode.test(code);
  const why = isTls ? 'the secure connection to it failed' : reason;
  return unreachable(
    `The proxy ${proxy?.url.host} cannot be used: ${why}.`,
    [`it is from ${proxy?.source}`, ...(code === '' ? [] : [code])],
    isRetryable && !isTls,
  );
}

const proxyReasons: Readonly<Record<string, string>> = {
  403: 'it does not allow this address',
  502: 'it cannot reach the address',
  503: 'it cannot reach the address',
  504: 'it cannot reach the address',
};

function describeProxyStatus(status: string, { proxy }: FailureContext): Failure {
  const isRetryable = Number(status) >= 500;
  const reason = status === '407' ? explainSignIn(proxy?.url) : proxyReasons[status];
  return unreachable(
    `The proxy ${proxy?.url.host} refused the connection${reason === undefined ? '' : `: ${reason}`}.`,
    [`it responded ${status}; it is from ${proxy?.source}`],
    isRetryable,
  );
}

/** The proxy's list of ways to sign in is not passed on by undici. */
function explainSignIn(proxy: URL | undefined): string {
  return proxy?.username
    ? 'it did not accept the user name and password in its URL, or wants another way to sign in, such as NTLM, which petstore does not know'
    : 'it wants a user name and password, as in http://name:password@proxy.example.com:3128';
}

const tlsCode = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO|HOSTNAME_)/;
const authorityCode = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/;

function describeTlsFailure(code: string, error: unknown, host: string): Failure {
  const refuse = (message: string, ...details: string[]) =>
    unreachable(message, [...details, code], false);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = /.*(?:altnames|list): (.+)$/.exec(messageOf(error))?.[1];
    return refuse(
      `The certificate at ${host} is for another name.`,
      ...(names === undefined ? [] : [`it is for ${names}`]),
    );
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return refuse(`The certificate of ${host} has expired, or this computer's clock is wrong.`);
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return refuse(
      `The certificate of ${host} is not valid yet, or this computer's clock is wrong.`,
    );
  }
  if (authorityCode.test(code)) {
    return refuse(
      `The certificate of ${host} is from an authority that this computer does not know.`,
      'if it is your own, set NODE_EXTRA_CA_CERTS to a file with its certificate',
    );
  }
  // What OpenSSL says when the first bytes are those of an HTTP response.
  if (
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number/.test(code + messageOf(error))
  ) {
    return refuse(`${host} speaks plain HTTP, not https.`, 'check the address and its port');
  }
  return refuse(`The secure connection to ${host} failed.`);
}

function describeBrokenResponse(code: string, context: FailureContext): Failure {
  const { host } = context.url;
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return unexpected(`The response of ${host} is larger than any page of pets.`, []);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return unexpected(`The response of ${host} has too many headers.`, []);
  }
  const message = context.wasSent
    ? `The connection to ${host} was lost before the response was complete.`
    : `The connection to ${host} was lost.`;
  const details = [...listProxy(context), code];
  return { code: 'cli_connection_lost', message, details, isRetryable: true };
}

function unreachable(message: string, details: readonly string[], isRetryable: boolean): Failure {
  return { code: 'cli_unreachable', message, details, isRetryable };
}

function unexpected(message: string, details: readonly string[]): Failure {
  return { code: 'cli_unexpected_response', message, details, isRetryable: false };
}

/** Errors of the network and of undici carry a code; what has none is a bug. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code ?? '') : '';
}
