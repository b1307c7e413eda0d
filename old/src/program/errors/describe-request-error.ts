import type { Failure, RequestError } from '../../client/request-error.ts';
import { environmentVariables } from '../../config/variables.ts';
import { shellOf } from '../../shell.ts';
import type { RequestTarget } from '../context/connection.ts';
import type { Description } from './describe-error.ts';
import { describeResponse } from './describe-response.ts';

/** What a failed request means. @param stop class and code of a stop, by whichever signal. */
export function describeRequestError(
  error: RequestError,
  requestTarget: RequestTarget,
  stop: Pick<Description, 'class' | 'code'>,
): Description {
  const { failure, request, outcome, retryAfter } = error;
  const isStopped = failure.kind === 'aborted';
  const isUnknown = request.method === 'POST' && outcome === 'unknown';
  const isNotAdded = request.method === 'POST' && outcome !== 'unknown';
  const description: Description = isStopped
    ? { ...stop, message: isNotAdded ? 'Stopped; nothing was added.' : 'Stopped.', next: [] }
    : describeFailure(error, failure, requestTarget);
  const unknown = isUnknown ? describeUnknown(error, requestTarget) : undefined;
  return {
    retryable: true,
    next: suggestNext(requestTarget.target),
    ...description,
    ...(isNotAdded &&
      requestTarget.typed &&
      keepTyped(requestTarget.typed, description, isStopped)),
    ...(isUnknown && !isStopped && { class: 'unknown_outcome' }),
    ...unknown,
    ...('status' in failure && failure.status !== undefined && { status: failure.status }),
    ...(requestTarget.target && { environment: requestTarget.target.name }),
    request,
    outcome,
    details: [
      ...(description.details ?? []),
      ...(retryAfter === undefined ? [] : [`it asks to wait ${describeWait(retryAfter)}`]),
      ...(unknown?.details ?? []),
    ],
  };
}

/** Only a service that honors idempotency keys does not add a pet twice when the same line is run again. */
function describeUnknown(
  { honorsIdempotency }: RequestError,
  { target, recovery }: RequestTarget,
): Partial<Description> & { details: string[] } {
  const details = ['the pet may or may not have been added'];
  if (honorsIdempotency) return { details, ...(recovery && { next: [recovery.rerun] }) };
  const name = target?.name ?? 'the service';
  const why =
    honorsIdempotency === false
      ? `${name} does not honor idempotency keys`
      : `it is not known whether ${name} honors idempotency keys`;
  return {
    retryable: false,
    details: [...details, `${why}: the same line run again may add it twice, so look first`],
    ...(recovery && { next: [recovery.lookUp] }),
  };
}

/** What was typed for the pet is not lost: the line that adds it is what to do next, after what mends the cause. */
function keepTyped(
  { name, line }: NonNullable<RequestTarget['typed']>,
  { message, next = [] }: Description,
  isStopped: boolean,
): Pick<Description, 'message' | 'next'> {
  const reason = message.replace(/^The(?:re)?\b/, (word) => word.toLowerCase());
  return {
    message: isStopped ? `Stopped; ${name} was not added.` : `${name} was not added: ${reason}`,
    next: [...next, line],
  };
}

/** Retryable, and showing the environment next, unless said otherwise. */
function describeFailure(
  error: RequestError,
  failure: Exclude<Failure, { kind: 'aborted' }>,
  requestTarget: RequestTarget,
): Description {
  const name = requestTarget.target?.name ?? 'the service';
  switch (failure.kind) {
    case 'response':
    case 'unexpected_response':
      return describeResponse(error, failure, requestTarget);
    case 'unreachable':
      return {
        class: 'unreachable',
        code: 'cli_unreachable',
        ...describeUnreachable(failure, name, requestTarget),
      };
    case 'no_response':
      return {
        // What began to respond was reached.
        class: failure.hasBegun && !failure.isTimeout ? 'service' : 'unreachable',
        code: failure.isTimeout ? 'cli_timeout' : 'cli_connection_lost',
        message: `${name}: ${failure.reason}`,
      };
  }
}

/** Through a proxy, whatever fails before the secure connection to the service fails at the proxy. */
function describeUnreachable(
  { reason, code, isCertificate }: Extract<Failure, { kind: 'unreachable' }>,
  name: string,
  { target, proxy, unusedProxy }: RequestTarget,
): Pick<Description, 'message' | 'details' | 'next'> {
  const message = `${name} cannot be reached: ${reason}`;
  const next = suggestNext(target);
  if (isCertificate) {
    const isUnknown = unknownAuthority.test(code);
    return {
      message,
      details: [
        ...(proxy ? [`through the proxy ${proxy.url} (${proxy.from})`] : []),
        ...(isUnknown
          ? ['this machine does not know the authority that signed its certificate']
          : []),
      ],
      next: isUnknown
        ? [shellOf().setVariable(extraAuthorities.name, '/path/to/authority.pem'), ...next]
        : next,
    };
  }
  if (proxy === undefined) {
    const unused = `${unusedProxy} is set and not used: ${httpsProxy.name} names the proxy`;
    return { message, details: unusedProxy === undefined ? [] : [unused] };
  }
  return {
    message: `${name} cannot be reached through the proxy ${proxy.url}: ${reason}`,
    details: [
      `the proxy is named by ${proxy.from}; hosts in ${noProxy.name} are reached without it`,
    ],
    next: [
      ...next,
      ...(target ? [shellOf().setVariable(noProxy.name, new URL(target.url).hostname)] : []),
    ],
  };
}

/** Of codes of OpenSSL: who signed the certificate is not known here. */
const unknownAuthority = /^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;

const { extraAuthorities, httpsProxy, noProxy } = environmentVariables;

const HOUR_S = 3600;

/** A wait that nobody sits out is said as a date. */
function describeWait(seconds: number): string {
  if (seconds <= HOUR_S) return `${seconds} s`;
  const end = new Date(Date.now() + seconds * 1000).toISOString();
  return `until ${end.slice(0, 10)} ${end.slice(11, 16)} UTC`;
}

/** Shows which service that is, and why that one. */
function suggestNext(target: RequestTarget['target']): string[] {
  return target ? [`petstore env show ${target.name} --explain`] : ['petstore env list'];
}
