import * as v from 'valibot';
import { codeOf, messageOf, UserError } from '../errors.ts';
import { RequestError, type RequestFacts } from './failure.ts';
import type { ProxyOptions, Request } from './request.ts';

/** The program was told to stop; the reason says by what. */
export function listStopFacts({ reason }: AbortSignal) {
  const code = reason instanceof UserError ? reason.code : 'cli_interrupted';
  return { code, message: 'Stopped.', details: [] } as const;
}

/** A failure between this computer and the proxy, not between proxy and service. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

export interface AttemptContext {
  readonly request: Request;
  readonly proxy: ProxyOptions | undefined;
  /** Milliseconds, if the attempt ran out of time. */
  readonly timeoutMs: number | undefined;
  readonly wasSent: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Why no response came. @throws what is a bug of this program, unless a write has left. */
export function explainThrown(thrown: unknown, context: AttemptContext): RequestError {
  const { request, wasSent, signal } = context;
  const isWrite = request.method === 'POST';
  const outcome = !wasSent ? 'not_sent' : isWrite ? 'unknown' : 'not_applied';
  const words = signal?.aborted ? listStopFacts(signal) : describeThrown(thrown, context);
  if (words === undefined && outcome !== 'unknown') throw thrown;
  const bug = {
    code: 'cli_outcome_unknown',
    message: `Something unexpected happened: ${messageOf(thrown)}.`,
  };
  return new RequestError(request, { ...(words ?? bug), outcome, cause: thrown });
}

type Words = Pick<RequestFacts, 'code' | 'message' | 'details' | 'isTransient'>;

/** The one place that says what failed on the network. Undefined for what is a bug of this program. */
function describeThrown(thrown: unknown, context: AttemptContext): Words | undefined {
  const { host } = context.request.url;
  if (context.timeoutMs !== undefined) return describeTimeout(context.timeoutMs, context);
  if (thrown instanceof ProxyError) return describeProxyFailure(thrown.cause, context.proxy);
  const proxyStatus = /^Proxy response \((\d+)\)/.exec(messageOf(thrown))?.[1];
  if (proxyStatus !== undefined) return describeProxyStatus(Number(proxyStatus), context.proxy);
  const code = codeOf(thrown);
  const broken = describeBrokenResponse(thrown, code);
  if (broken !== undefined) {
    const message = `${host} ${broken}.`;
    return { code: 'cli_unexpected_response', message };
  }
  // Errors of the network and of undici carry a code.
  if (code === '') return undefined;
  const [reason, isTransient] = connectionReasons[code] ?? [];
  if (reason !== undefined)
    return unreachable(`${host} cannot be reached: ${reason}.`, [code], isTransient);
  if (tlsCode.test(code)) return describeTlsFailure(thrown, code, host);
  return {
    code: 'cli_connection_lost',
    message: `The connection to ${host} was lost${context.wasSent ? ' before the response was complete' : ''}.`,
    details: [...listProxy(context), ...(isSystemCode(code) ? [code] : [])],
    isTransient: true,
  };
}

const connectionReasons: Readonly<Record<string, readonly [reason: string, isTransient: boolean]>> =
  {
    ECONNREFUSED: ['nothing listens there', true],
    ENOTFOUND: ['there is no host of this name', false],
    EAI_AGAIN: ['its name cannot be looked up, so there may be no network', true],
    EHOSTUNREACH: ['there is no route to it', true],
    EHOSTDOWN: ['it is switched off', true],
    ENETUNREACH: ['there is no network', true],
    ENETDOWN: ['there is no network', true],
    EADDRNOTAVAIL: ['there is no network to it', true],
    EACCES: ['this computer does not allow the connection', false],
    EPERM: ['this computer does not allow the connection', false],
    ETIMEDOUT: ['it does not respond', true],
  };

function describeTimeout(timeoutMs: number, context: AttemptContext): Words {
  const { request, wasSent } = context;
  const verb = wasSent ? 'respond' : 'accept a connection';
  const message = `${request.url.host} did not ${verb} within ${timeoutMs / 1000} s.`;
  return { code: 'cli_timeout', message, details: listProxy(context), isTransient: true };
}

/** Where nothing says whether the proxy failed or what is behind it. */
function listProxy({ proxy, wasSent }: AttemptContext): string[] {
  if (proxy === undefined || wasSent) return [];
  return [`${proxy.source} names the proxy ${proxy.url.host}`];
}

function describeProxyFailure(cause: unknown, proxy: ProxyOptions | undefined): Words {
  const code = codeOf(cause);
  const isTls = tlsCode.test(code);
  const [reason = 'it closed the connection', isTransient = true] = isTls
    ? ['the secure connection to it failed', false]
    : (connectionReasons[code] ?? []);
  const message = `The proxy ${proxy?.url.host} cannot be used: ${reason}.`;
  const details = [`it is from ${proxy?.source}`, ...(isSystemCode(code) ? [code] : [])];
  return unreachable(message, details, isTransient);
}

function describeProxyStatus(status: number, proxy: ProxyOptions | undefined): Words {
  const reason = findProxyReason(status, proxy);
  const message = `The proxy ${proxy?.url.host} refused the connection${reason}.`;
  const details = [`it responded ${status}; it is from ${proxy?.source}`];
  return unreachable(message, details, status >= 500);
}

function findProxyReason(status: number, proxy: ProxyOptions | undefined): string {
  if (status === 403) return ': it does not allow this address';
  if (status >= 500) return ': it cannot reach the address';
  if (status !== 407) return '';
  return proxy?.url.username
    ? ': it did not accept the user name and password in its URL, or wants another way to sign in, such as NTLM, which petstore does not know'
    : ': it wants a user name and password, as in http://name:password@proxy.example.com:3128';
}

const tlsCode = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO|HOSTNAME_)/;
const authorityCode = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/;
/** What OpenSSL says when the first bytes are those of an HTTP response. */
const plainHttp = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number/;

function describeTlsFailure(thrown: unknown, code: string, host: string): Words {
  const [message, ...cures] = findTlsReason(code, messageOf(thrown), host);
  return unreachable(message, [...listNames(thrown), ...cures, code]);
}

function findTlsReason(code: string, text: string, host: string): [string, ...string[]] {
  if (plainHttp.test(code + text))
    return [`${host} speaks plain HTTP, not https.`, 'check the address and its port'];
  if (authorityCode.test(code))
    return [
      `The certificate of ${host} is from an authority that this computer does not know.`,
      'if it is your own, set NODE_EXTRA_CA_CERTS to a file with its certificate',
    ];
  const messages: Readonly<Record<string, string>> = {
    ERR_TLS_CERT_ALTNAME_INVALID: `The certificate at ${host} is for another name.`,
    CERT_HAS_EXPIRED: `The certificate of ${host} has expired, or this computer's clock is wrong.`,
    CERT_NOT_YET_VALID: `The certificate of ${host} is not valid yet, or this computer's clock is wrong.`,
  };
  return [messages[code] ?? `The secure connection to ${host} failed.`];
}

const NamedCertificate = v.object({ cert: v.object({ subjectaltname: v.string() }) });

/** `it is for other.test, *.other.test`, of the certificate that a TLS error carries. */
function listNames(thrown: unknown): string[] {
  if (!v.is(NamedCertificate, thrown)) return [];
  return [`it is for ${thrown.cert.subjectaltname.replaceAll(/(?:DNS|IP Address):/g, '')}`];
}

/** What is wrong with bytes that are no response of a service. */
function describeBrokenResponse(thrown: unknown, code: string): string | undefined {
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'sent more than any page of pets has';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'sent too many headers';
  const isGarbled = thrown instanceof Error && thrown.name === 'HTTPParserError';
  // A TLS alert, which is what comes from a port for https.
  if (isGarbled && 'data' in thrown && /^\u0015\u0003/.test(String(thrown.data)))
    return 'speaks https, not plain HTTP';
  return isGarbled ? 'did not respond with HTTP' : undefined;
}

function unreachable(message: string, details: readonly string[], isTransient = false): Words {
  return { code: 'cli_unreachable', message, details, isTransient };
}

/** A code of the system can be looked up; one of a library means nothing to its user. */
function isSystemCode(code: string): boolean {
  return /^(E[A-Z]|CERT_|ERR_TLS_|ERR_SSL_)/.test(code);
}
