import { type Failure, isStillRunning, type RequestError } from '../../client/request-error.ts';
import type { KeyInfo } from '../../contract/key-info.ts';
import type { RequestTarget } from '../context/connection.ts';
import type { Description } from './describe-error.ts';

type Responded<Kind> = Extract<Failure, { kind: Kind }>;

/** What a response means that is not the one that was asked for. */
export function describeResponse(
  error: RequestError,
  failure: Responded<'response'> | Responded<'unexpected_response'>,
  requestTarget: RequestTarget,
): Description {
  return failure.kind === 'response'
    ? { code: failure.error.code, ...describeServiceError(error, failure, requestTarget) }
    : { code: 'cli_unexpected_response', ...describeUnexpected(failure, requestTarget) };
}

/** A response that does not follow the contract: it need not be the service's. */
function describeUnexpected(
  { status, reason }: Responded<'unexpected_response'>,
  requestTarget: RequestTarget,
): Omit<Description, 'code'> {
  const name = nameTarget(requestTarget);
  if (status === 401) {
    const { details = [], ...rest } = describeRejectedKey(requestTarget);
    return { ...rest, details: [`the response is ${reason}`, ...details] };
  }
  if (status === 404) {
    return {
      class: 'service',
      message: `There is no pet store at the URL of ${name}.`,
      retryable: false,
      details: [`the response is ${reason}`],
    };
  }
  return {
    class: 'service',
    message: `${name} sent an unexpected response: ${reason}`,
    retryable: [502, 503, 504].includes(status ?? 0),
  };
}

/** A failure that the service reports by the contract's Error. */
function describeServiceError(
  { request: { url }, honorsIdempotency }: RequestError,
  failure: Responded<'response'>,
  requestTarget: RequestTarget,
): Omit<Description, 'code'> {
  const { status, error } = failure;
  const name = nameTarget(requestTarget);
  const environment = requestTarget.target ? ` --env ${name}` : '';
  const petId = /\/pets\/([^/?]+)$/.exec(url)?.[1];
  if (status === 401) return describeRejectedKey(requestTarget);
  if (status === 403 && requestTarget.keyInfo?.()?.access === 'read')
    return describeReadKey(error.message, requestTarget);
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
      // This service's own sends its header with every response below its base URL.
      details: honorsIdempotency ? [] : [error.message],
      next: [
        `petstore list${environment} --all`,
        ...(honorsIdempotency ? [] : [`petstore env show ${name} --explain`]),
      ],
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
  if (isStillRunning(failure)) {
    return {
      class: 'rejected',
      message: `${name} has not finished an earlier request with this idempotency key.`,
      next: [],
      details: [error.message],
    };
  }
  return {
    class: 'rejected',
    message: `${name} did not accept the request: ${error.message}`,
    retryable: false,
    // The service was reached and understood: what is wrong is in its message.
    next:
      error.code === 'operation_removed' ? [`petstore get${environment} ${petId} --via list`] : [],
  };
}

function describeRejectedKey(requestTarget: RequestTarget): Omit<Description, 'code'> {
  const name = nameTarget(requestTarget);
  const { key } = requestTarget;
  return {
    class: 'auth',
    message: `The API key for ${name} was not accepted.`,
    retryable: false,
    details: key ? [`key from ${key.from}, ending ${key.lastFour}`, ...describeEnd(key.info)] : [],
    next: [remedyFor(requestTarget)],
  };
}

/** Whether that is over already is for the reader to judge: the clock of this machine may be wrong. */
function describeEnd(info: KeyInfo | undefined): string[] {
  return info?.expiresAt === undefined
    ? []
    : [`the service said that it ends on ${info.expiresAt.toISOString()}`];
}

/** A key that is valid, but not for a write: the same exit code as for one that was not accepted. */
function describeReadKey(message: string, requestTarget: RequestTarget): Omit<Description, 'code'> {
  const name = nameTarget(requestTarget);
  const { key } = requestTarget;
  return {
    class: 'auth',
    message: `The API key for ${name} can only read.`,
    retryable: false,
    details: [message, ...(key ? [`key from ${key.from}, ending ${key.lastFour}`] : [])],
    next: [remedyFor(requestTarget)],
  };
}

/** A variable overrides what `auth login` would store: each source has its own remedy. */
function remedyFor(requestTarget: RequestTarget): string {
  if (requestTarget.target === undefined) return 'petstore env list';
  const remedy = requestTarget.key?.source === 'variable' ? 'status --check' : 'login';
  return `petstore auth ${remedy} --env ${nameTarget(requestTarget)}`;
}

function nameTarget({ target }: RequestTarget): string {
  return target?.name ?? 'the service';
}
