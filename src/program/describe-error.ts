import { isLocalCode, RequestError, type RequestLine } from '../client/failure.ts';
import {
  type CommandLine,
  exitCodes,
  type LocalCode,
  messageOf,
  type Outcome,
  UserError,
} from '../errors.ts';
import type { Context } from './context.ts';
import { adviseNewKey, listEnvOption, repeatLine } from './next-lines.ts';

/** An error for people and for scripts: the members of the JSON line on stderr, in their order (`docs/scripts.md`). */
export interface Report {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  readonly environment?: string | undefined;
  readonly request?: (RequestLine & { readonly status?: number | undefined }) | undefined;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly details: readonly string[];
  readonly try: readonly CommandLine[];
}

export function describeError(error: unknown, context: Context): Report {
  const stop: unknown = context.signal.reason;
  if (stop instanceof UserError) return describeStop(stop, error, context);
  if (error instanceof RequestError) return describeRequestError(error, context);
  if (error instanceof UserError) return describeUserError(error, error.code, context);
  return describeBug(error, context);
}

function describeUserError(error: UserError, code: LocalCode, context: Context): Report {
  const { message, outcome, retryable, details, try: next } = error;
  return { ...startReport(code, message, context), outcome, retryable, details, try: next };
}

/** Nobody knows how far it came: a write that has left may have been applied. */
function describeBug(error: unknown, context: Context): Report {
  const isUnknown = context.found.client?.hasWritten() ?? false;
  const code = isUnknown ? 'cli_outcome_unknown' : 'cli_unexpected';
  const message = `Something unexpected happened: ${messageOf(error)}.`;
  const unknown = isUnknown ? [MAY_BE_ADDED, LOOK_FIRST] : [];
  return {
    ...startReport(code, message, context),
    outcome: isUnknown ? 'unknown' : 'not_sent',
    details: [...unknown, 'This is a bug in petstore; PETSTORE_DEBUG=1 shows where.'],
    try: isUnknown
      ? [['petstore', 'list', '--newest', ...listEnvOption(context.found.environment?.name)]]
      : [],
  };
}

/** A write that was in flight may have been applied; a command that says how far it came keeps its words. */
function describeStop(stop: UserError, error: unknown, context: Context): Report {
  const { code } = stop;
  if (error instanceof UserError) return describeUserError(error, code, context);
  if (!(error instanceof RequestError) || error.outcome !== 'unknown')
    return describeUserError(stop, code, context);
  const { request, outcome, retryable, try: next } = error;
  return {
    ...startReport(code, 'Stopped; the pet may or may not have been added.', context),
    request,
    outcome,
    retryable,
    details: [`${request.method} ${request.url}`, `request ${request.id}`],
    try: next,
  };
}

const MAY_BE_ADDED = 'The pet may or may not have been added.';
const LOOK_FIRST = 'Running the same line again could add it twice. Look first:';

function startReport(code: LocalCode, message: string, context: Context): Report {
  return {
    code,
    message,
    exitCode: exitCodes[code],
    environment: context.found.environment?.name,
    outcome: 'not_sent',
    retryable: false,
    details: [],
    try: [],
  };
}

function describeRequestError(error: RequestError, context: Context): Report {
  const { request, status, outcome, retryAfter, retryable, honorsKeys } = error;
  const { message, details, try: next } = describeStatus(error, context);
  const isUnknown = outcome === 'unknown';
  const response = status === undefined ? '' : `${status} ${error.code}: `;
  return {
    code: isUnknown ? 'cli_outcome_unknown' : error.code,
    message: isUnknown ? `${message} ${MAY_BE_ADDED}` : message,
    exitCode: error.exitCode,
    environment: context.found.environment?.name,
    request: { ...request, status },
    outcome,
    retryable,
    details: [
      `${response}${request.method} ${request.url}`,
      ...details,
      ...(retryAfter ? [`try again in ${retryAfter} s`] : []),
      `request ${request.id}`,
      ...(isUnknown && !honorsKeys ? [LOOK_FIRST] : []),
    ],
    try: isUnknown ? error.try : [...next, ...error.try],
  };
}

type Words = Pick<Report, 'message' | 'details' | 'try'>;

/** The table from a status to words; where only the service or the client can explain it, these are in the error. */
function describeStatus(error: RequestError, { found, argv }: Context): Words {
  const { environment, key } = found;
  const name = environment?.name ?? 'the service';
  const { details } = error;
  const newKey = adviseNewKey(environment?.name, key);
  const source = key === undefined ? [] : [`key from ${key.source}, ending ${key.ending}`];
  const again = repeatLine(argv, {});
  // What is not set up yet, as in a login, only the same line knows.
  const doctor = environment === undefined ? again : ['petstore', 'doctor', '--env', name];
  const isReadOnly = error.request.method === 'POST' && error.code === 'forbidden';
  // What is not a pet store says nothing of the key.
  switch (isLocalCode(error.code) ? undefined : error.status) {
    case 401:
      return {
        message: `The API key for ${name} was not accepted.`,
        details: [...details, ...source, ...newKey.details],
        try: newKey.try,
      };
    case 403:
      if (!isReadOnly)
        return { message: error.message, details: [...details, ...source], try: [doctor] };
      return {
        message: `The API key for ${name} is read-only.`,
        details: [`it says: ${error.message}`, ...details, ...source, ...newKey.details],
        try: newKey.try,
      };
    case 429:
    case 503: {
      const state = error.status === 429 ? 'too busy' : 'not available';
      const message = `${name} is ${state} at the moment.`;
      return { message, details: [...details, error.message], try: [again] };
    }
    default: {
      const { cli_rejected, cli_not_found } = exitCodes;
      const isRefusal = [cli_rejected, cli_not_found].some((code) => code === error.exitCode);
      return { message: error.message, details, try: isRefusal ? [] : [doctor] };
    }
  }
}
