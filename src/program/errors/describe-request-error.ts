import type { Failure, RequestError, RequestLine } from '../../client/request-error.ts';
import type { RequestTarget } from '../context/connection.ts';
import type { ErrorClass } from './exit-codes.ts';

/** What a failed request means to the person or script, before it becomes a report. */
export interface RequestDescription {
  kind: ErrorClass;
  code: string;
  message: string;
  status?: number;
  retryable: boolean;
  details: string[];
  next: string[];
}

/** The rows of the error table for what came, or did not come, from the service. */
export function describeRequestError(
  error: RequestError,
  requestTarget: RequestTarget,
): RequestDescription {
  const { failure, request, outcome } = error;
  const described = describeFailureKind(failure, request, requestTarget);
  const isUnknown = request.method === 'POST' && outcome === 'unknown';
  return {
    retryable: true,
    next: suggestNext(requestTarget),
    ...described,
    kind: isUnknown && described.kind !== 'interrupted' ? 'unknown_outcome' : described.kind,
    ...('status' in failure ? { status: failure.status } : {}),
    details: [
      ...(described.details ?? []),
      ...(error.retryAfter === undefined ? [] : [`it asks to wait ${error.retryAfter} s`]),
      ...(isUnknown ? ['the pet may or may not have been added'] : []),
    ],
  };
}

/** `retryable` and showing the environment next, unless said otherwise. */
type Description = Pick<RequestDescription, 'kind' | 'code' | 'message'> &
  Partial<RequestDescription>;

function describeFailureKind(
  failure: Failure,
  request: RequestLine,
  requestTarget: RequestTarget,
): Description {
  const name = requestTarget.target?.name ?? 'the service';
  switch (failure.kind) {
    case 'response':
      return { code: failure.error.code, ...describeResponse(failure, request, requestTarget) };
    case 'unexpected_response':
      return {
        kind: 'service',
        code: 'cli_unexpected_response',
        message: `${name} sent an unexpected response: ${failure.reason}`,
        retryable: [502, 503, 504].includes(failure.status),
      };
    case 'unreachable':
      return {
        kind: 'unreachable',
        code: 'cli_unreachable',
        message: `${name} cannot be reached: ${failure.reason}`,
      };
    case 'no_response':
      return {
        kind: 'unreachable',
        code: failure.isTimeout ? 'cli_timeout' : 'cli_connection_lost',
        message: `${name}: ${failure.reason}`,
      };
    case 'aborted':
      return { kind: 'interrupted', code: 'cli_interrupted', message: 'Stopped.', next: [] };
  }
}

function describeResponse(
  { status, error }: Extract<Failure, { kind: 'response' }>,
  request: RequestLine,
  requestTarget: RequestTarget,
): Omit<Description, 'code'> {
  const name = requestTarget.target?.name ?? 'the service';
  if (status === 401) return describeRejectedKey(name, requestTarget);
  if (status === 404) {
    const id = readPetId(request);
    return {
      kind: 'not_found',
      retryable: false,
      ...(id === undefined
        ? { message: `There is no pet store at the URL of ${name}.`, details: [error.message] }
        : { message: `There is no pet ${id} in ${name}.`, next: [listAllCommand(requestTarget)] }),
    };
  }
  if (status >= 500 || status === 408 || status === 429) {
    const isBusy = [408, 429, 503].includes(status);
    return {
      kind: 'service',
      retryable: status !== 501,
      message: `${name} ${isBusy ? 'is too busy' : 'failed'}: ${error.message}`,
    };
  }
  return {
    kind: 'rejected',
    message: `${name} did not accept the request: ${error.message}`,
    retryable: false,
    ...(error.code === 'operation_removed' && {
      next: [getViaListCommand(request, requestTarget)],
    }),
  };
}

/** A variable overrides what `auth login` would store: each source has its own remedy. */
function describeRejectedKey(name: string, { key }: RequestTarget): Omit<Description, 'code'> {
  return {
    kind: 'auth',
    message: `The API key for ${name} was not accepted.`,
    retryable: false,
    details: key ? [`key from ${key.from}, ending ${key.lastFour}`] : [],
    next: [
      key?.source === 'variable'
        ? `petstore auth status --check --env ${name}`
        : `petstore auth login --env ${name}`,
    ],
  };
}

/** The id in `/pets/4711`; undefined for a request about all pets. */
function readPetId({ url }: RequestLine): string | undefined {
  return /\/pets\/([^/?]+)$/.exec(url)?.[1];
}

function listAllCommand({ target }: RequestTarget): string {
  return `petstore list${target ? ` --env ${target.name}` : ''} --all`;
}

function getViaListCommand(request: RequestLine, { target }: RequestTarget): string {
  const environment = target ? ` --env ${target.name}` : '';
  return `petstore get${environment} ${readPetId(request)} --via list`;
}

/** Shows which service that is, and why that one. */
function suggestNext({ target }: RequestTarget): string[] {
  return target ? [`petstore env show ${target.name} --explain`] : ['petstore env list'];
}
