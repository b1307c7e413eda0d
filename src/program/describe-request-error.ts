import type { RequestError } from '../client/request-error.ts';
import { exitCodes } from '../errors.ts';
import type { Context } from './context.ts';
import { formatRepeat } from './repeat-line.ts';
import type { Report } from './report-error.ts';

/** What a failed request means to the person who typed the line. */
export function describeRequestError(error: RequestError, context: Context): Report {
  const { request, status, outcome, retryAfter, isRetryable } = error;
  const { environment } = context.found;
  const { code, message, details, try: next } = describeStatus(error, context);
  const isUnknown = outcome === 'unknown';
  return {
    code: isUnknown ? 'cli_outcome_unknown' : code,
    message: isUnknown ? `${message} The pet may or may not have been added.` : message,
    exitCode: isUnknown ? exitCodes.cli_outcome_unknown : error.exitCode,
    environment: environment?.name,
    request: { ...request, status },
    outcome,
    retryable: isRetryable,
    details: [
      `${status === undefined ? '' : `${status} ${error.code}: `}${request.method} ${request.url}`,
      ...details,
      ...(retryAfter === undefined ? [] : [`it asks to wait ${retryAfter} s`]),
      `request ${request.id}`,
    ],
    try: next,
  };
}

type Words = Pick<Report, 'code' | 'message' | 'details' | 'try'>;

/** The table from a status to words; what has none, or only the service can explain, is in the error's own. */
function describeStatus(error: RequestError, { found, argv }: Context): Words {
  const { environment, key } = found;
  const name = environment?.name ?? 'the service';
  const { code, details } = error;
  const say = (message: string, more: readonly string[], next: readonly string[]): Words => ({
    ...{ code, message, details: [...details, ...more], try: next },
  });
  const ofKey = key === undefined ? [] : [`key from ${key.source}, ending ${key.ending}`];
  const login = [`petstore login --env ${name}`];
  const again = [formatRepeat(argv, {})];
  switch (error.status) {
    case 401:
      return say(`The API key for ${name} was not accepted.`, ofKey, login);
    case 403:
      return say(`The API key for ${name} is read-only.`, ofKey, login);
    case 404:
      return say(error.message, [], [`petstore list --env ${name}`]);
    case 429:
    case 503:
      return say(`${name} is too busy at the moment.`, [error.message], again);
    default:
      return say(error.message, [], [`petstore doctor --env ${name}`]);
  }
}
