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
  where: RequestTarget,
): RequestDescription {
  const { failure, request, outcome } = error;
  const name = where.target?.name ?? 'the service';
  const described = describeKind(failure, name, where);
  const isOpen = request.method === 'POST' && outcome === 'unknown';
  return {
    ...described,
    kind: isOpen && described.kind !== 'interrupted' ? 'unknown_outcome' : described.kind,
    ...('status' in failure ? { status: failure.status } : {}),
    ...(described.code === 'operation_removed'
      ? { next: [getViaListCommand(request, where)] }
      : {}),
    details: [
      ...described.details,
      ...(error.retryAfter === undefined ? [] : [`it asks to wait ${error.retryAfter} s`]),
      ...(isOpen ? ['the pet may or may not have been added'] : []),
    ],
  };
}

type Described = Omit<RequestDescription, 'status'>;

function describeKind(failure: Failure, name: string, where: RequestTarget): Described {
  const look = suggestNext(where);
  switch (failure.kind) {
    case 'response':
      return describeAnswer(failure, name, where);
    case 'unexpected_response':
      return {
        kind: 'service',
        code: 'cli_malformed_reply',
        message: `${name} sent an unexpected response: ${failure.reason}`,
        retryable: [502, 503, 504].includes(failure.status),
        details: [],
        next: look,
      };
    case 'unreachable':
      return {
        kind: 'unreachable',
        code: 'cli_unreachable',
        message: `${name} cannot be reached: ${failure.reason}`,
        retryable: true,
        details: [],
        next: look,
      };
    case 'no_response':
      return {
        kind: 'unreachable',
        code: failure.isTimeout ? 'cli_timeout' : 'cli_connection_lost',
        message: `${name}: ${failure.reason}`,
        retryable: true,
        details: [],
        next: look,
      };
    case 'aborted':
      return {
        kind: 'interrupted',
        code: 'cli_interrupted',
        message: 'Interrupted',
        retryable: true,
        details: [],
        next: [],
      };
  }
}

function describeAnswer(
  { status, error }: Extract<Failure, { kind: 'response' }>,
  name: string,
  where: RequestTarget,
): Described {
  const short = `${status} ${error.code}`;
  const base = { code: error.code, retryable: false, details: [], next: suggestNext(where) };
  if (status === 401)
    return {
      ...base,
      ...describeKey(name, where),
      kind: 'auth',
      message: `${name} rejected the API key (${short})`,
    };
  if (status === 404) {
    return {
      ...base,
      kind: 'not_found',
      message: `${name} found nothing (${short}): ${error.message}`,
    };
  }
  if (status >= 500 || status === 408 || status === 429) {
    const isBusy = [408, 429, 503].includes(status);
    const verb = isBusy ? 'is too busy' : 'failed';
    return {
      ...base,
      kind: 'service',
      retryable: status !== 501,
      message: `${name} ${verb} (${short}): ${error.message}`,
    };
  }
  return {
    ...base,
    kind: 'rejected',
    message: `${name} rejected the request (${short}): ${error.message}`,
  };
}

function getViaListCommand({ url }: RequestLine, { target }: RequestTarget): string {
  const environment = target ? ` --env ${target.name}` : '';
  return `petstore get${environment} ${url.slice(url.lastIndexOf('/') + 1)} --via list`;
}

/** Shows which service that is, and why that one. */
function suggestNext({ target }: RequestTarget): string[] {
  return target ? [`petstore env show ${target.name} --explain`] : ['petstore env list'];
}

/** A variable shadows what `auth login` would store: each source has its own way out. */
function describeKey(name: string, { key }: RequestTarget): { details: string[]; next: string[] } {
  const next = [
    key?.source === 'variable'
      ? `petstore auth status --check --env ${name}`
      : `petstore auth login --env ${name}`,
  ];
  return { details: key ? [`key from ${key.from}, ending ${key.lastFour}`] : [], next };
}
