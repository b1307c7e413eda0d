import type { Failure, RequestError, RequestLine } from '../../client/request-error.ts';
import type { RequestTarget } from '../context/connection.ts';
import type { Description } from './describe-error.ts';

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
    : describeFailure(failure, request, requestTarget);
  return {
    retryable: true,
    next: suggestNext(requestTarget),
    ...description,
    ...(isNotAdded &&
      requestTarget.typed &&
      keepTyped(requestTarget.typed, description, isStopped)),
    ...(isUnknown && !isStopped && { class: 'unknown_outcome' }),
    ...(isUnknown && requestTarget.rerun && { next: [requestTarget.rerun] }),
    ...('status' in failure && { status: failure.status }),
    ...(requestTarget.target && { environment: requestTarget.target.name }),
    request,
    outcome,
    details: [
      ...(description.details ?? []),
      ...(retryAfter === undefined ? [] : [`it asks to wait ${retryAfter} s`]),
      ...(isUnknown ? ['the pet may or may not have been added'] : []),
    ],
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
  failure: Exclude<Failure, { kind: 'aborted' }>,
  request: RequestLine,
  requestTarget: RequestTarget,
): Description {
  const name = requestTarget.target?.name ?? 'the service';
  switch (failure.kind) {
    case 'response':
      return { code: failure.error.code, ...describeResponse(failure, request, requestTarget) };
    case 'unexpected_response':
      return {
        class: 'service',
        code: 'cli_unexpected_response',
        message: `${name} sent an unexpected response: ${failure.reason}`,
        retryable: [502, 503, 504].includes(failure.status),
      };
    case 'unreachable':
      return {
        class: 'unreachable',
        code: 'cli_unreachable',
        message: `${name} cannot be reached: ${failure.reason}`,
      };
    case 'no_response':
      return {
        class: 'unreachable',
        code: failure.isTimeout ? 'cli_timeout' : 'cli_connection_lost',
        message: `${name}: ${failure.reason}`,
      };
  }
}

function describeResponse(
  { status, error }: Extract<Failure, { kind: 'response' }>,
  { url }: RequestLine,
  requestTarget: RequestTarget,
): Omit<Description, 'code'> {
  const { target, key } = requestTarget;
  const name = target?.name ?? 'the service';
  const environment = target ? ` --env ${target.name}` : '';
  const petId = /\/pets\/([^/?]+)$/.exec(url)?.[1];
  if (status === 401) {
    // A variable overrides what `auth login` would store: each source has its own remedy.
    const remedy = key?.source === 'variable' ? 'status --check' : 'login';
    return {
      class: 'auth',
      message: `The API key for ${name} was not accepted.`,
      retryable: false,
      details: key ? [`key from ${key.from}, ending ${key.lastFour}`] : [],
      next: [`petstore auth ${remedy} --env ${name}`],
    };
  }
  if (status === 404 && petId === undefined) {
    return {
      class: 'not_found',
      message: `There is no pet store at the URL of ${name}.`,
      retryable: false,
      details: [error.message],
    };
  }
  if (status === 404) {
    return {
      class: 'not_found',
      message: `There is no pet ${petId} in ${name}.`,
      retryable: false,
      next: [`petstore list${environment} --all`],
    };
  }
  if (status >= 500 || status === 408 || status === 429) {
    const isBusy = [408, 429, 503].includes(status);
    return {
      class: 'service',
      message: `${name} ${isBusy ? 'is too busy' : 'failed'}: ${error.message}`,
      retryable: status !== 501,
      next: isBusy ? [] : [`petstore doctor${environment}`],
    };
  }
  return {
    class: 'rejected',
    message: `${name} did not accept the request: ${error.message}`,
    // The first request with this key will have ended.
    retryable: error.code === 'idempotency_conflict',
    // The service was reached and understood: its URL is right, and the message says what is wrong.
    next: status === 405 ? suggestNext(requestTarget) : [],
    ...(error.code === 'operation_removed' && {
      next: [`petstore get${environment} ${petId} --via list`],
    }),
  };
}

/** Shows which service that is, and why that one. */
function suggestNext({ target }: RequestTarget): string[] {
  return target ? [`petstore env show ${target.name} --explain`] : ['petstore env list'];
}
