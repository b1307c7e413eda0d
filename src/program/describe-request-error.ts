import { isLocalCode, type RequestError } from '../client/request-error.ts';
import { exitCodes } from '../errors.ts';
import type { Context } from './context.ts';
import { listNewKeyLines } from './new-key-lines.ts';
import { formatRepeat } from './repeat-line.ts';
import type { Report } from './report.ts';

/** What a failed request means to the person who typed the line. */
export function describeRequestError(error: RequestError, context: Context): Report {
  const { request, status, outcome, retryAfter, isRetryable, honorsKeys } = error;
  const { message, details, try: next } = describeStatus(error, context);
  const isUnknown = outcome === 'unknown';
  const response = status === undefined ? '' : `${status} ${error.code}: `;
  return {
    code: isUnknown ? 'cli_outcome_unknown' : error.code,
    message: isUnknown ? `${message} The pet may or may not have been added.` : message,
    exitCode: isUnknown ? exitCodes.cli_outcome_unknown : error.exitCode,
    environment: context.found.environment?.name,
    request: { ...request, status },
    ...{ outcome, retryable: isRetryable },
    details: [
      `${response}${request.method} ${request.url}`,
      ...details,
      ...(retryAfter === undefined ? [] : [`it asks to wait ${retryAfter} s`]),
      `request ${request.id}`,
      ...(isUnknown && !honorsKeys
        ? ['Running the same line again could add it twice. Look first:']
        : []),
    ],
    try: isUnknown ? [] : next,
  };
}

type Words = Pick<Report, 'message' | 'details' | 'try'>;

/** The table from a status to words; where only the service or the client can explain it, these are in the error. */
function describeStatus(error: RequestError, { found, argv }: Context): Words {
  const { environment, key } = found;
  const name = environment?.name ?? 'the service';
  const say = (message: string, next: readonly string[], more: readonly string[] = []): Words => ({
    ...{ message, details: [...error.details, ...more], try: next },
  });
  const ofKey = key === undefined ? [] : [`key from ${key.source}, ending ${key.ending}`];
  const login = listNewKeyLines(name, key);
  // What is not a pet store says nothing of the key.
  switch (isLocalCode(error.code) ? undefined : error.status) {
    case 401:
      return say(`The API key for ${name} was not accepted.`, login, ofKey);
    case 403:
      return say(`The API key for ${name} is read-only.`, login, ofKey);
    case 429:
      return say(`${name} is too busy at the moment.`, [formatRepeat(argv, {})], [error.message]);
    case 503:
      return say(
        `${name} is not available at the moment.`,
        [formatRepeat(argv, {})],
        [error.message],
      );
    default: {
      const { cli_rejected, cli_not_found } = exitCodes;
      const isRefusal = [cli_rejected, cli_not_found].some((code) => code === error.exitCode);
      return say(error.message, isRefusal ? [] : [`petstore doctor --env ${name}`]);
    }
  }
}
